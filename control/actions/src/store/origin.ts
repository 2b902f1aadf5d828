import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import * as z from 'zod';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';

/** Whose cluster it is, by what the store holds. */
export type Origin =
  | { readonly maker: 'kopsctl' }
  | {
      readonly maker: 'kops';
      /** The release that applied it last. */
      readonly version: string;
      /** When kopsctl took it over. Absent: it has not, or it was given back. */
      readonly adopted?: string;
      /** When it was given back to kops, and not taken over since. */
      readonly givenBack?: string;
      /** What the store held when it was taken over, below the cluster's folder. Absent where that was not written down. */
      readonly objectsOfKops?: readonly string[];
    };

/** kops writes it whenever it applies a cluster, and only then. kopsctl never does. */
const kopsVersionPath = (cluster: string): string => `${cluster}/kops-version.txt`;

/** kops reads nothing in this folder, and its `delete cluster` removes the folder. */
export const adoptionPath = (cluster: string): string => `${cluster}/manifests/kopsctl/adopted.json`;

const API_VERSION = 'kopsctl.io/v1';

/** `manifests/kopsctl/adopted.json`: that kopsctl took the cluster over, and that it has been given back. */
const adoptionSchema = z.object({
  apiVersion: z.literal('kopsctl.io/v1'),
  kind: z.literal('Adoption'),
  adopted: z.string(),
  kopsVersion: z.string(),
  givenBack: z.string().optional(),
  objectsOfKops: z.array(z.string()).readonly().optional(),
});
type Adoption = z.infer<typeof adoptionSchema>;

/** The maker of a cluster, and whether it was taken over or given back since. @throws ActionableError for an unreadable record */
export async function readOrigin(store: StateStore, cluster: string, signal?: AbortSignal): Promise<Origin> {
  const [version, record] = await Promise.all([
    store.read(kopsVersionPath(cluster), signal),
    readAdoption(store, cluster, signal),
  ]);
  if (version === undefined) return { maker: 'kopsctl' };
  const { adopted, givenBack, objectsOfKops } = record?.adoption ?? {};
  return {
    maker: 'kops',
    version: new TextDecoder().decode(version.bytes).trim(),
    ...(givenBack === undefined ? adopted !== undefined && { adopted } : { givenBack }),
    ...(objectsOfKops !== undefined && { objectsOfKops }),
  };
}

/** Writes down that kopsctl takes a cluster over. Writes nothing where that is written down already. */
export async function recordAdoption(
  store: StateStore,
  cluster: string,
  { nowMs, kopsVersion }: { readonly nowMs: number; readonly kopsVersion: string },
  signal: AbortSignal,
): Promise<void> {
  const former = await readAdoption(store, cluster, signal);
  if (former !== undefined && former.adoption.givenBack === undefined) return;
  const listed = async () => (await store.list(cluster, signal)).map(({ path }) => path.slice(cluster.length + 1));
  // Objects of ours may be left of a cluster that was given back: those were none of kops's.
  const objectsOfKops = former === undefined ? await listed() : former.adoption.objectsOfKops;
  const adoption: Adoption = {
    apiVersion: API_VERSION,
    kind: 'Adoption',
    adopted: new Date(nowMs).toISOString(),
    kopsVersion,
    ...(objectsOfKops && { objectsOfKops }),
  };
  await writeAdoption(store, cluster, adoption, former?.version, signal);
}

/** Records that a cluster is given back to kops: from then on it is refused like one that was never taken over. */
export async function recordGivenBack(
  store: StateStore,
  cluster: string,
  nowMs: number,
  signal: AbortSignal,
): Promise<void> {
  const former = await readAdoption(store, cluster, signal);
  if (former === undefined || former.adoption.givenBack !== undefined) return;
  const adoption = { ...former.adoption, givenBack: new Date(nowMs).toISOString() };
  await writeAdoption(store, cluster, adoption, former.version, signal);
}

/** The release of kops that made a cluster which kopsctl has not taken over: nothing of it is changed then. */
export async function unadoptedRelease(
  store: StateStore,
  cluster: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const origin = await readOrigin(store, cluster, signal);
  return origin.maker === 'kops' && origin.adopted === undefined ? origin.version : undefined;
}

async function writeAdoption(
  store: StateStore,
  cluster: string,
  adoption: Adoption,
  version: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const condition = ifUnchanged(version);
  const bytes = new TextEncoder().encode(`${JSON.stringify(adoption, null, 2)}\n`);
  await store.write(adoptionPath(cluster), bytes, condition, signal);
}

/** @throws ActionableError where kops made the cluster, and nobody has taken it over */
export async function refuseUnadopted(store: StateStore, cluster: string): Promise<void> {
  const origin = await readOrigin(store, cluster);
  if (origin.maker === 'kopsctl' || origin.adopted !== undefined) return;
  const since = origin.givenBack === undefined ? 'has not taken it over' : `gave it back to kops (${origin.givenBack})`;
  throw new ActionableError({
    what: `change ${cluster}`,
    why: `kops ${origin.version} made this cluster, and kopsctl ${since}`,
    next: `\`kopsctl adopt ${cluster}\` shows what would change and why, and changes nothing (docs/moving-from-kops.md)`,
  });
}

async function readAdoption(
  store: StateStore,
  cluster: string,
  signal?: AbortSignal,
): Promise<{ readonly adoption: Adoption; readonly version: string } | undefined> {
  const stored = await store.read(adoptionPath(cluster), signal);
  if (stored === undefined) return undefined;
  try {
    return {
      adoption: adoptionSchema.parse(JSON.parse(new TextDecoder().decode(stored.bytes))),
      version: stored.version,
    };
  } catch (cause) {
    throw new ActionableError({
      what: `read ${adoptionPath(cluster)} of ${store.url}`,
      why: `it is not an Adoption of ${API_VERSION}`,
      next: `delete that file, and run \`kopsctl adopt ${cluster}\` again`,
      cause,
    });
  }
}
