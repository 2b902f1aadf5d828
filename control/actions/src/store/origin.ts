import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';

/** Whose cluster it is, by what the store holds. */
export type Origin =
  | { readonly maker: 'kopsctl' }
  | {
      readonly maker: 'kops';
      /** The release that applied it last. */
      readonly version: string;
      /** When kopsctl took it over. Absent: it has not. */
      readonly adopted?: string;
    };

/** kops writes it whenever it applies a cluster, and only then. kopsctl never does. */
const kopsVersionPath = (cluster: string): string => `${cluster}/kops-version.txt`;

/** kops reads nothing in this folder, and its `delete cluster` removes the folder. */
export const adoptionPath = (cluster: string): string => `${cluster}/manifests/kopsctl/adopted.json`;

const API_VERSION = 'kopsctl.io/v1';

export async function readOrigin(store: StateStore, cluster: string, signal?: AbortSignal): Promise<Origin> {
  const [version, record] = await Promise.all([
    store.read(kopsVersionPath(cluster), signal),
    store.read(adoptionPath(cluster), signal),
  ]);
  if (version === undefined) return { maker: 'kopsctl' };
  const adopted = record && adoptedIn(store, cluster, new TextDecoder().decode(record.bytes));
  return {
    maker: 'kops',
    version: new TextDecoder().decode(version.bytes).trim(),
    ...(adopted !== undefined && { adopted }),
  };
}

/** Writes down that kopsctl takes a cluster over. Nothing where that is written down already. */
export async function recordAdoption(
  store: StateStore,
  cluster: string,
  { nowMs, kopsVersion }: { readonly nowMs: number; readonly kopsVersion: string },
  signal: AbortSignal,
): Promise<void> {
  const path = adoptionPath(cluster);
  if ((await store.read(path, signal)) !== undefined) return;
  const adopted = new Date(nowMs).toISOString();
  const text = `${JSON.stringify({ apiVersion: API_VERSION, kind: 'Adoption', adopted, kopsVersion }, null, 2)}\n`;
  await store.write(path, new TextEncoder().encode(text), { ifAbsent: true }, signal);
}

/** @throws ActionableError where kops made the cluster, and nobody has taken it over */
export async function refuseUnadopted(store: StateStore, cluster: string): Promise<void> {
  const origin = await readOrigin(store, cluster);
  if (origin.maker === 'kopsctl' || origin.adopted !== undefined) return;
  throw new ActionableError({
    what: `change ${cluster}`,
    why: `kops ${origin.version} made this cluster, and kopsctl has not taken it over`,
    next: `\`kopsctl adopt ${cluster}\` shows what would change and why, and changes nothing (docs/moving-from-kops.md)`,
  });
}

function adoptedIn(store: StateStore, cluster: string, text: string): string {
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    // What is no JSON is no record either, and refused as such.
  }
  const { apiVersion, kind, adopted } = Object(record);
  if (apiVersion === API_VERSION && kind === 'Adoption' && typeof adopted === 'string') return adopted;
  throw new ActionableError({
    what: `read ${adoptionPath(cluster)} of ${store.url}`,
    why: `it is not an Adoption of ${API_VERSION}`,
    next: `delete that file, and run \`kopsctl adopt ${cluster}\` again`,
  });
}
