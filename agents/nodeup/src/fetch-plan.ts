import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { replaceFile } from '@kopsctl/node-handlers/replace-file.ts';
import type { BootConfig, NodePlan, PlanThroughAuthority } from '@kopsctl/node-plan/node-plan.ts';
import { parsePlan } from '@kopsctl/node-plan/plan-document.ts';
import { planHash, planPath } from '@kopsctl/node-plan/plan-hash.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';

export interface FetchedPlan {
  readonly plan: NodePlan;
  readonly bytes: Uint8Array;
}

const KEPT = 'var/lib/kops/node-plan.json';
const MODE = 0o600;

/** Where plans are read. */
export interface PlanSources {
  readonly store: () => Promise<StateStore>;
  readonly authority: (through: PlanThroughAuthority) => Promise<Uint8Array>;
}

/** The plan that the user-data pins by its hash, from the saved copy or its source. Nothing is parsed before its hash is verified. */
export async function fetchPlan(
  boot: BootConfig,
  sources: PlanSources,
  root: string,
  signal: AbortSignal,
): Promise<FetchedPlan> {
  const kept = await readFile(join(root, KEPT)).catch(() => undefined);
  if (kept !== undefined && planHash(kept) === boot.planHash) return { plan: parsePlan(kept, `/${KEPT}`), bytes: kept };
  const { where, bytes } =
    boot.planThroughAuthority === undefined
      ? await fromStore(boot, await sources.store(), signal)
      : { where: 'the plan of the authority', bytes: await sources.authority(boot.planThroughAuthority) };
  const found = planHash(bytes);
  if (found !== boot.planHash) throw refused(where, `its SHA-256 is ${found}`);
  return { plan: parsePlan(bytes, where), bytes };
}

async function fromStore(
  { cluster, planFolder, planHash: hash, stateStore }: BootConfig,
  store: StateStore,
  signal: AbortSignal,
): Promise<{ readonly where: string; readonly bytes: Uint8Array }> {
  const path = planPath(cluster, planFolder, hash);
  const where = `${stateStore}/${path}`;
  const stored = await store.read(path, signal);
  if (stored === undefined) throw refused(where, 'it is not in the state store');
  return { where, bytes: stored.bytes };
}

const refused = (where: string, why: string): ActionableError =>
  new ActionableError({
    what: `read the node plan ${where}`,
    why,
    next: 'run `kopsctl apply --yes`, which writes the plans of a cluster, and restart nodeup: systemctl restart nodeup',
  });

/** Saves the plan for root alone: it may contain files of a control plane that no one else may read. */
export async function keepPlan(root: string, bytes: Uint8Array): Promise<void> {
  const path = join(root, KEPT);
  const kept = await readFile(path).catch(() => undefined);
  if (kept?.equals(bytes) === true && ((await stat(path)).mode & 0o7777) === MODE) return;
  await replaceFile(path, bytes, MODE, undefined);
}
