import type { ClusterFacts } from '../cluster-facts.ts';

/*
 * Where objects are kept, below the cluster's folder, that kops keeps as well. Machines that kops made read theirs for as long
 * as they run, and kops reads them when it takes the cluster back. So in a cluster of kops, ours have places of their own, in
 * folders that kops knows: its `delete cluster` refuses a folder that it does not know.
 */

type Origin = Pick<ClusterFacts, 'isOfKops'>;

/** The channel of kops, which its control planes apply. */
export const KOPS_CHANNEL = 'addons/bootstrap-channel.yaml';

export const addonsFolder = ({ isOfKops }: Origin): string => (isOfKops ? 'addons/kopsctl' : 'addons');

/** The channel that protokube applies. */
export const channelPath = (origin: Origin): string => `${addonsFolder(origin)}/bootstrap-channel.yaml`;

/** kops up to 1.21 kept its own there, which machines of that time read at every boot. */
export const completedSpecPath = ({ isOfKops }: Origin): string =>
  isOfKops ? 'manifests/kopsctl/cluster.spec' : 'cluster.spec';
