import { specCloud } from '@kopsctl/clouds/control.ts';
import type { RunnableAddons } from '@kopsctl/model/addons/runnable-addons.ts';
import type { ModelInput } from '@kopsctl/model/model-input.ts';
import type { Completed } from '@kopsctl/spec/complete.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { agentsRelease } from './agents-release.ts';
import { driverOf } from './cloud-layer.ts';
import { readAssetIndex } from './asset-index-file.ts';
import { listSshPublicKeys } from '../keys/list-keys.ts';
import { additionalObjectsPath } from '../store/object-paths.ts';

export interface ModelSources {
  readonly store: StateStore;
  readonly completed: Completed;
  /** The folder of prepared assets, for clouds that get their images from there. */
  readonly assetsDir: string;
}

export interface Modelled {
  readonly tasks: readonly Task[];
  /** Absent where machines pull their images from registries. */
  readonly addons?: RunnableAddons;
}

/** What follows from a completed cluster, with what the model has to be told from outside. */
export async function modelOf({ store, completed, assetsDir }: ModelSources): Promise<Modelled> {
  const driver = driverOf(completed.cluster);
  const { traits } = specCloud(completed.cluster);
  const name = completed.cluster.metadata.name;
  const [build, addonsOf, assets, sshPublicKeys, additional] = await Promise.all([
    driver.model(),
    driver.addons?.(),
    traits.bringsImages ? readAssetIndex(assetsDir) : { assets: [] },
    listSshPublicKeys(store, name),
    store.read(additionalObjectsPath(name)),
  ]);
  const input: ModelInput = {
    ...completed,
    assets,
    storeUrl: store.url,
    assetsDir,
    sshPublicKeys: sshPublicKeys.map(({ id, publicKey }) => ({ text: `${publicKey}\n`, fingerprint: id })),
    ...(additional === undefined ? {} : { additionalObjects: new TextDecoder().decode(additional.bytes) }),
    agents: agentsRelease(process.env),
  };
  return { tasks: build(input), ...(addonsOf === undefined ? {} : { addons: addonsOf(input) }) };
}
