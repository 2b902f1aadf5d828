import { specCloud } from '@kopsctl/clouds/control.ts';
import type { RunnableAddons } from '@kopsctl/model/addons/runnable-addons.ts';
import type { HostSettings } from '@kopsctl/model/cloud.ts';
import type { AddonInput } from '@kopsctl/model/model-input.ts';
import { replacedPrograms } from '@kopsctl/model/assets/replaced-programs.ts';
import type { Replaced } from '@kopsctl/model/assets/replaced.ts';
import { runnableKubernetes } from '@kopsctl/model/assets/runnable-kubernetes.ts';
import type { Completed } from '@kopsctl/spec/complete.ts';
import { bareVersion } from '@kopsctl/spec/names.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { agentsRelease, OWN_RELEASE } from './agents-release.ts';
import { namedCniPlugins } from './cni-plugins.ts';
import { driverOf } from './cloud-layer.ts';
import { readAssetIndex } from './asset-index-file.ts';
import { type PinnedTasks, pinFiles } from '../hashes/pin-files.ts';
import type { readPublishedHashes } from '../hashes/read-published-hashes.ts';
import { type FileHashes, recordedHashes } from '../hashes/recorded-hashes.ts';
import { keysetStates } from '../keys/keyset-states.ts';
import { listSshPublicKeys } from '../keys/list-keys.ts';
import { secretHashes } from '../keys/secret-hashes.ts';
import { additionalObjectsPath } from '../store/object-paths.ts';
import { readOrigin } from '../store/origin.ts';

export interface ModelSources {
  readonly store: StateStore;
  readonly completed: Completed;
  /** The folder of prepared assets is for clouds that get their images from there. */
  readonly settings: Pick<HostSettings, 'assetsDir' | 'stateIdentity'>;
  /** The names of the groups whose machines are made; without it, all groups. */
  readonly madeGroups?: readonly string[] | undefined;
  /** Opens no connection: hashes that neither the table nor the store has stay unknown. */
  readonly offline: boolean;
  /** It may name other agents and plugins than the usual ones. */
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

export interface Modelled extends PinnedTasks {
  /** Absent where machines pull their images from registries. */
  readonly addons?: RunnableAddons;
  /** The patch release that machines run because the prepared assets do not hold the wanted one. */
  readonly nearestKubernetes?: string;
  /** Other programs that machines run in another version than the spec names, for the same reason. */
  readonly replacedPrograms: readonly Replaced[];
}

/** What follows from a completed cluster, with what the model has to be told from outside. */
export async function modelOf(sources: ModelSources): Promise<Modelled> {
  const { store, completed, settings, madeGroups, offline, env, signal } = sources;
  const { assetsDir, stateIdentity } = settings;
  const driver = driverOf(completed.cluster);
  const { traits } = specCloud(completed.cluster);
  const name = completed.cluster.metadata.name;
  const [build, addonsOf, assets, sshPublicKeys, additional, table, recorded, secrets, keysets, origin] =
    await Promise.all([
      driver.model(),
      driver.addons?.(),
      traits.bringsImages ? readAssetIndex(assetsDir) : { assets: [] },
      listSshPublicKeys(store, name),
      store.read(additionalObjectsPath(name)),
      // Machines that bring their images get everything from the prepared assets.
      traits.bringsImages ? new Map<string, string>() : tableOfHashes(),
      recordedHashes(store, name),
      secretHashes(store, name),
      keysetStates(store, name),
      readOrigin(store, name),
    ]);
  const cniPlugins = namedCniPlugins(env);
  const input: AddonInput = {
    ...completed,
    ...(madeGroups && { madeGroups }),
    assets,
    storeUrl: store.url,
    assetsDir,
    stateIdentity,
    sshPublicKeys: sshPublicKeys.map(({ id, publicKey }) => ({ text: `${publicKey}\n`, fingerprint: id })),
    secrets,
    keysets,
    isOfKops: origin.maker === 'kops',
    ...(additional === undefined ? {} : { additionalObjects: new TextDecoder().decode(additional.bytes) }),
    agents: traits.bringsImages ? OWN_RELEASE : agentsRelease(env),
    ...(cniPlugins && { cniPlugins }),
  };
  const { fileRepository } = completed.cluster.spec.assets ?? {};
  const pinned = await pinFiles((sha256Of) => build({ ...input, sha256Of }), {
    table,
    recorded,
    read: offline ? undefined : (files) => readHashes(files, fileRepository, signal),
  });
  const wanted = bareVersion(completed.cluster.spec.kubernetesVersion ?? '');
  const runs = traits.bringsImages ? runnableKubernetes(wanted, assets) : wanted;
  return {
    ...pinned,
    ...(addonsOf === undefined ? {} : { addons: addonsOf(input) }),
    ...(runs === wanted ? {} : { nearestKubernetes: runs }),
    replacedPrograms: traits.bringsImages ? replacedPrograms(completed, assets) : [],
  };
}

/** Few plans need a hash that is nowhere yet: the HTTP client is loaded for those. */
async function readHashes(...args: Parameters<typeof readPublishedHashes>): Promise<FileHashes> {
  const { readPublishedHashes } = await import('../hashes/read-published-hashes.ts');
  return readPublishedHashes(...args);
}

/** The hashes that came with this program. */
async function tableOfHashes(): Promise<FileHashes> {
  const [{ publishedHashes }, { hashesOfAgents }] = await Promise.all([
    import('@kopsctl/assets/published-hashes.ts'),
    import('../hashes/hashes-of-agents.ts'),
  ]);
  return new Map([...publishedHashes(), ...hashesOfAgents()]);
}
