import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';
import { RELEASE } from '../cloud/agents-release.ts';

/** The release of kopsctl that applied a cluster last. Only that of kops itself is in kops-version.txt. */
export const appliedReleasePath = (cluster: string): string => `${cluster}/manifests/kopsctl/version.txt`;

/** The release that applied a cluster last; undefined where none did, or one that did not note it. */
export async function appliedRelease(store: StateStore, cluster: string): Promise<string | undefined> {
  const stored = await store.read(appliedReleasePath(cluster));
  return stored === undefined ? undefined : new TextDecoder().decode(stored.bytes).trim();
}

/** Notes that this release applied a cluster. */
export async function noteAppliedRelease(store: StateStore, cluster: string, signal?: AbortSignal): Promise<void> {
  const path = appliedReleasePath(cluster);
  const stored = await store.read(path, signal);
  const text = `${RELEASE}\n`;
  if (stored !== undefined && new TextDecoder().decode(stored.bytes) === text) return;
  const condition = ifUnchanged(stored?.version);
  await store.write(path, new TextEncoder().encode(text), condition, signal);
}

/** @throws ActionableError where a newer release applied the cluster last */
export async function refuseDowngrade(store: StateStore, cluster: string): Promise<void> {
  const last = await appliedRelease(store, cluster);
  if (last === undefined || last.localeCompare(RELEASE, 'en', { numeric: true }) <= 0) return;
  throw new ActionableError({
    what: `apply ${cluster}`,
    why: `kopsctl ${last} applied it last, and this is kopsctl ${RELEASE}, which may undo what the newer one did`,
    next: `use kopsctl ${last} or later, or apply it anyway with --allow-kops-downgrade`,
  });
}
