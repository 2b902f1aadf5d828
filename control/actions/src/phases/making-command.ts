import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { specCloud } from '@kopsctl/clouds/control.ts';
import { canMake } from '../cloud/cloud-layer.ts';

/** The command that makes a stored cluster: the words after `kopsctl`, without --state and --yes. None where nothing drives its cloud. */
export type MakingCommand = readonly string[] | undefined;

/** Local machines are applied and waited for; clouds are updated, as with kops. */
export function makingCommand(cluster: Cluster): MakingCommand {
  const { metadata, spec } = cluster;
  if (!canMake(spec.cloudProvider)) return undefined;
  return specCloud(cluster).traits.sharesHost
    ? ['apply', '--name', metadata.name]
    : ['update', 'cluster', metadata.name];
}
