import type { Fleet, FleetMachine } from '@kopsctl/model/fleet.ts';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import { drainNode } from '../machines/drain-node.ts';
import { admitNode, cordonNode, releaseNode, taintNode } from './mark-node.ts';
import type { Effect } from './effect.ts';
import type { Turn } from './roll.ts';
import { throughRestart } from './through-restart.ts';

export interface StepEnv {
  readonly fleet: Fleet;
  readonly kube: Pick<KubeClient, 'get' | 'create' | 'mergePatch' | 'remove'>;
  /**
   * Makes a machine what its turn's plan says, and waits for that; `begunMs` is when the first attempt began. Absent where
   * that is never done.
   */
  readonly converge?: (turn: Turn, machine: FleetMachine, begunMs: number, signal: AbortSignal) => Promise<void>;
  readonly cloudOnly: boolean;
  readonly drainTimeoutMs: number;
  /** When the first attempt at the step began: one that is repeated has the rest of its time. */
  readonly begunMs?: number;
  /** What sends no events is looked at again after this time. */
  readonly lookAgainMs: number;
  readonly nowMs: () => number;
  readonly say: (line: string) => void;
  /** Called with how many pods have left a machine that is drained. */
  readonly onPodsLeft?: (node: string, left: number, all: number) => void;
  /** Asks the person whether a machine may go. */
  readonly ask: (turn: Turn, signal: AbortSignal) => Promise<boolean>;
}

/**
 * A machine says that it has changed when its files are written; its kubelet may start the API server again only then. kops
 * gives that five minutes to start (nodeup/pkg/model/kube_apiserver.go).
 */
const API_STARTS_WITHIN_MS = 5 * 60_000;

/**
 * Takes one step. What was done before is done again without harm, so that a step that was cut off is simply repeated.
 *
 * @returns false where a person refused
 */
export async function takeStep({ step, turn }: Effect, env: StepEnv, signal: AbortSignal): Promise<boolean> {
  const { fleet, kube, lookAgainMs, nowMs, say, begunMs = nowMs() } = env;
  const { node, name } = turn;
  switch (step) {
    case 'ask':
      return env.ask(turn, signal);
    case 'taint':
      await taintNode(kube, node, signal);
      return true;
    case 'detach':
      await withMachine(turn, env, signal, async (machine) => fleet.detach?.(machine, signal));
      return true;
    case 'cordon':
      await cordonNode(kube, node, signal);
      return true;
    case 'deregister':
      await withMachine(turn, env, signal, (machine) => fleet.deregister(machine, signal));
      return true;
    case 'drain':
      if (node !== '') {
        const onHeldBack = (pod: string, why: string): void => say(`${pod} stays on ${node} for now: ${why}`);
        const onLeft = (left: number, all: number): void => env.onPodsLeft?.(node, left, all);
        const { drainTimeoutMs: timeoutMs } = env;
        await drainNode({ kube, node, begunMs, timeoutMs, lookAgainMs, nowMs, onHeldBack, onLeft }, signal);
      }
      return true;
    case 'converge':
      await withMachine(turn, env, signal, async (machine) => env.converge?.(turn, machine, begunMs, signal));
      return true;
    case 'delete':
      await withMachine(turn, env, signal, async (machine) => {
        // It is needed by now, so that pods run on it.
        if (turn.standing === 'warm' && machine.standing !== 'warm') return;
        if (fleet.reusesNames === true && node !== '' && !env.cloudOnly) {
          await kube.remove(`/api/v1/nodes/${encodeURIComponent(node)}`, signal);
        }
        await fleet.delete(machine, signal);
      });
      return true;
    case 'make':
      await fleet.make?.(name, signal);
      return true;
    case 'admit':
      await admitNode(kube, node, signal);
      return true;
    case 'release':
      await withMachine(turn, env, signal, (machine) => fleet.register(machine, signal));
      if (node !== '' && !env.cloudOnly) {
        const release = (): Promise<void> => releaseNode(kube, node, signal);
        const restarting = { begunMs, withinMs: API_STARTS_WITHIN_MS, lookAgainMs, nowMs };
        await (turn.inPlace === undefined ? release() : throughRestart(release, restarting, signal));
      }
      return true;
  }
}

/** Nothing is done to a machine that is gone, nor to another one that has its name. */
async function withMachine(
  { id }: Turn,
  { fleet }: StepEnv,
  signal: AbortSignal,
  change: (machine: FleetMachine) => Promise<void> | undefined,
): Promise<void> {
  const groups = await fleet.groups(signal);
  const machine = groups.flatMap(({ machines }) => machines).find((one) => one.id === id);
  if (machine !== undefined) await change(machine);
}
