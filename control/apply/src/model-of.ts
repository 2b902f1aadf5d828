import { buildModel } from '@kopsctl/model/model.ts';
import type { Completed } from '@kopsctl/spec/complete.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { agentsRelease } from './agents-release.ts';
import { readAssetIndex } from './asset-index-file.ts';
import { listSshPublicKeys } from './list-keys.ts';
import { additionalObjectsPath } from './object-paths.ts';

export interface ModelSources {
  readonly store: StateStore;
  readonly completed: Completed;
  /** Local machines: the folder of prepared assets. */
  readonly assetsDir: string;
}

/** The tasks of a completed cluster, with what the model has to be told from outside. */
export async function modelOf({ store, completed, assetsDir }: ModelSources): Promise<readonly Task[]> {
  const isLocal = completed.cluster.spec.cloudProvider === 'local';
  const name = completed.cluster.metadata.name;
  const [assets, sshPublicKeys, additional] = await Promise.all([
    isLocal ? readAssetIndex(assetsDir) : { assets: [] },
    listSshPublicKeys(store, name),
    store.read(additionalObjectsPath(name)),
  ]);
  return buildModel({
    ...completed,
    assets,
    storeUrl: store.url,
    assetsDir,
    sshPublicKeys: sshPublicKeys.map(({ id, publicKey }) => ({ text: `${publicKey}\n`, fingerprint: id })),
    ...(additional === undefined ? {} : { additionalObjects: new TextDecoder().decode(additional.bytes) }),
    agents: agentsRelease(process.env),
  });
}
