import { CLOUDS, findCloud, specCloud } from '@kopsctl/clouds/control.ts';
import type { InferredCluster } from '@kopsctl/model/create-cluster/cloud-creation.ts';
import { inferCluster, type CreatedCluster } from '@kopsctl/model/create-cluster/create-cluster.ts';
import { chooseCloud } from '@kopsctl/model/create-cluster/choose-cloud.ts';
import type { CreateClusterFacts, CreateClusterFlags, SharedNetwork } from '@kopsctl/model/create-cluster/flags.ts';
import { pathOfSetting } from '@kopsctl/model/create-cluster/given-paths.ts';
import { given, nonEmpty } from '@kopsctl/model/create-cluster/given.ts';
import { validateCluster } from '@kopsctl/spec/validate.ts';
import { InvalidSpecError } from './invalid-spec-error.ts';

/** The cluster that the flags mean, checked: what comes back validates. */
export function newCluster(flags: CreateClusterFlags, facts: CreateClusterFacts): CreatedCluster {
  const inferred = inferCluster(flags, facts, CLOUDS);
  const faults = validateCluster(inferred.cluster, inferred.instanceGroups, specCloud(inferred.cluster));
  if (faults.length > 0) throw new InvalidSpecError(`create the cluster ${flags.name}`, faults);
  return inferred;
}

/** Flags, completed with what this computer is configured with for the cloud that they mean. */
export const withFlagsOfHost = async (
  flags: CreateClusterFlags,
  stateStoreUrl: string | undefined,
  env: Readonly<NodeJS.ProcessEnv>,
): Promise<CreateClusterFlags> =>
  (await chooseCloud(flags, stateStoreUrl, CLOUDS).creation.flagsOfHost?.(flags, env)) ?? flags;

/** The existing network that the flags name, as its cloud describes it; undefined where they name none. */
export async function sharedNetworkOf(
  flags: CreateClusterFlags,
  stateStoreUrl: string | undefined,
): Promise<SharedNetwork | undefined> {
  const subnets = [...new Set([...(flags.subnets ?? []), ...(flags.utilitySubnets ?? [])])];
  const id = nonEmpty(flags.networkId) ?? networkIdSet(flags);
  if (id === undefined && subnets.length === 0) return undefined;
  const { creation } = chooseCloud(flags, stateStoreUrl, CLOUDS);
  return creation.findNetwork?.({ ...given({ id }), subnets }, flags);
}

/** The network that --set names. Its cloud is asked for it as for that of --network-id. */
const networkIdSet = ({ set = [] }: CreateClusterFlags): string | undefined =>
  nonEmpty(
    set
      .filter((setting) => pathOfSetting(setting) === 'spec.networkID')
      .at(-1)
      ?.replace(/^[^=]*=/, ''),
  );

/** What nothing could be inferred for, in sentences. */
export const leftOpen = (inferred: InferredCluster): readonly string[] =>
  findCloud(inferred.cluster.spec.cloudProvider)?.creation.leftOpen(inferred) ?? [];
