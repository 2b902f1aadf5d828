import type { Task } from '@kopsctl/tasks/task.ts';
import type { Addon } from '../addons/addon.ts';
import { assetCatalog } from '../assets/asset-catalog.ts';
import { type ClusterFacts, clusterFacts, type ModelCloud } from '../cluster-facts.ts';
import { machinesStore } from './machines-store.ts';
import type { ModelInput } from '../model-input.ts';
import { publishedEtcds } from '../assets/published-assets.ts';
import { schedulerConfiguration } from '../scheduler-configuration.ts';
import { storeContents } from './store-contents.ts';

/** What is common to clusters whose machines download what they run from where it is published. */
export interface PublishedCluster {
  readonly facts: ClusterFacts;
  /** The mirrors that are asked for files before the publishers (kops's spec.assets.fileRepository). */
  readonly mirrors: readonly string[];
  /** See `storeContents`. */
  readonly identity: readonly Task[];
  readonly files: readonly Task[];
}

/** Addons that depend on what machines boot with. */
export type AddonsOfMachines = (facts: ClusterFacts, mirrors: readonly string[]) => readonly Addon[];

/** The start of the model of every cloud in which machines reach their state store and the internet by themselves. Pure. */
export function publishedCluster(
  input: ModelInput,
  cloud: ModelCloud,
  addonsOfMachines: AddonsOfMachines = () => [],
): PublishedCluster {
  const { cluster, instanceGroups, secrets, keysets, isOfKops, additionalObjects } = input;
  const facts = clusterFacts(cluster, machinesStore(cluster), cloud, {
    secrets,
    keysets,
    schedulerConfiguration: schedulerConfiguration(additionalObjects),
    isOfKops,
  });
  const mirror = facts.spec.assets?.fileRepository;
  const mirrors = mirror === undefined ? [] : [mirror];
  const catalog = assetCatalog({ assets: publishedEtcds(facts, 'amd64') }, 'amd64', mirrors);
  const addons = addonsOfMachines(facts, mirrors);
  return { facts, mirrors, ...storeContents(facts, instanceGroups, catalog, additionalObjects, addons) };
}
