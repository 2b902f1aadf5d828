import { pause } from '@kopsctl/agent/pause.ts';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import { asRecord } from '@kopsctl/kube/json.ts';
import type { Fleet, FleetMachine } from '@kopsctl/model/fleet.ts';
import { adoptUnit, printWantedPlan, WANTED_PLAN_ANNOTATION } from '@kopsctl/node-plan/in-place.ts';
import { readNode } from '../access/kubernetes-objects.ts';
import { readMachineState } from '../follow/read-machine-state.ts';
import type { Turn } from './roll.ts';
import { throughRestart } from './through-restart.ts';

export interface ConvergeEnv {
  readonly fleet: Pick<Fleet, 'inPlace'>;
  readonly kube: Pick<KubeClient, 'get' | 'mergePatch'>;
  /** When the first attempt began: one that is repeated has the rest of its time. */
  readonly begunMs: number;
  readonly lookAgainMs: number;
  readonly nowMs: () => number;
}

/** nodeup gives a task ten minutes. */
const WITHIN_MS = 11 * 60_000;

/**
 * Makes a machine become what another plan says, and waits until its own report says that it has. The machine decides once
 * more whether it can. May be repeated: a machine that already has is only noted. Where it serves the API, that is away while
 * it starts again.
 */
export async function convergeInPlace(
  { fleet, kube, begunMs, lookAgainMs, nowMs }: ConvergeEnv,
  { name, node, inPlace }: Pick<Turn, 'name' | 'node' | 'inPlace'>,
  machine: FleetMachine,
  signal: AbortSignal,
): Promise<void> {
  if (inPlace === undefined) throw new Error(`${name} is to be replaced`);
  const path = `/api/v1/nodes/${encodeURIComponent(node)}`;
  const wish = (value: string | null) => ({ metadata: { annotations: { [WANTED_PLAN_ANNOTATION]: value } } });
  const ask = <T>(once: () => Promise<T>): Promise<T> =>
    throughRestart(once, { begunMs, withinMs: WITHIN_MS, lookAgainMs, nowMs }, signal).catch((cause: unknown) => {
      throw notConverged(name, inPlace.to, messageOf(cause), cause);
    });
  await ask(() => kube.mergePatch(path, wish(printWantedPlan(inPlace)), signal));
  for (;;) {
    const { state = '' } = readNode(asRecord(await ask(() => kube.get(path, signal))));
    const { boot, failures = {} } = readMachineState(state) ?? {};
    if (boot?.planHash === inPlace.to && boot.result === 'done') break;
    const refusal = Object.values(failures).find((failure) => failure.includes(adoptUnit(inPlace.to)));
    if (refusal !== undefined || nowMs() >= begunMs + WITHIN_MS) {
      await ask(() => kube.mergePatch(path, wish(null), signal));
      throw notConverged(name, inPlace.to, refusal ?? `it did not finish within ${WITHIN_MS / 60_000} minutes`);
    }
    await pause(lookAgainMs, signal);
  }
  await fleet.inPlace?.note(machine, inPlace, signal);
  await ask(() => kube.mergePatch(path, wish(null), signal));
}

const notConverged = (name: string, plan: string, why: string, cause?: unknown): ActionableError =>
  new ActionableError({
    what: `bring ${name} in line with its plan ${plan.slice(0, 12)}…`,
    why,
    next: `see \`journalctl -u '${adoptUnit(plan)}' -u nodeup\` on it, or replace it: \`kopsctl rolling-update cluster --yes\` without --in-place`,
    ...(cause !== undefined && { cause }),
  });
