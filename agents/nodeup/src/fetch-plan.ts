import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { replaceFile } from '@kopsctl/node-handlers/replace-file.ts';
import type { BootConfig, NodePlan } from '@kopsctl/node-plan/node-plan.ts';
import { parsePlan } from '@kopsctl/node-plan/plan-document.ts';
import { planHash, planPath } from '@kopsctl/node-plan/plan-hash.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';

export interface FetchedPlan {
  readonly plan: NodePlan;
  readonly bytes: Uint8Array;
}

const KEPT = 'var/lib/kops/node-plan.json';

/** The plan that the user-data pins by its hash, from the saved copy or the store. Nothing is parsed before its hash is verified. */
export async function fetchPlan(
  boot: BootConfig,
  store: () => Promise<StateStore>,
  root: string,
  signal: AbortSignal,
): Promise<FetchedPlan> {
  const kept = await readFile(join(root, KEPT)).catch(() => undefined);
  if (kept !== undefined && planHash(kept) === boot.planHash) return { plan: parsePlan(kept, `/${KEPT}`), bytes: kept };
  const path = planPath(boot.cluster, boot.planHash);
  const stored = await (await store()).read(path, signal);
  const where = `${boot.stateStore}/${path}`;
  const refuse = (why: string) =>
    new ActionableError({
      what: `read the node plan ${where}`,
      why,
      next: 'run `kopsctl apply`, which writes the plans of a cluster, and restart nodeup: systemctl restart nodeup',
    });
  if (stored === undefined) throw refuse('it is not in the state store');
  const found = planHash(stored.bytes);
  if (found !== boot.planHash) throw refuse(`its SHA-256 is ${found}`);
  return { plan: parsePlan(stored.bytes, where), bytes: stored.bytes };
}

export async function keepPlan(root: string, bytes: Uint8Array): Promise<void> {
  const path = join(root, KEPT);
  const kept = await readFile(path).catch(() => undefined);
  if (kept?.equals(bytes) === true) return;
  await mkdir(dirname(path), { recursive: true, mode: 0o755 });
  await replaceFile(path, bytes, 0o644, undefined);
}
