import type { Task } from '@kopsctl/tasks/task.ts';
import type { ClusterFacts } from '../../cluster-facts.ts';

export interface LocalPlaces {
  /** The state store as the operator's machine reaches it. */
  readonly storeUrl: string;
  /** The folder that holds the files of the asset index. */
  readonly assetsDir: string;
}

/** Where every local machine finds its own facts, its part of the state store and the assets. */
const METADATA = 'http://169.254.169.254';
export const LOCAL_STORE_URL = `${METADATA}/state`;
/** As files of the machine, which spares each of them 700 MB over the network, and by HTTP. */
export const LOCAL_ASSETS_URLS = ['file:///opt/kops/assets', `${METADATA}/assets`] as const;

export const LOCAL_NETWORK = 'network';

/** The range of addresses of a local cluster's machines. */
export const localNetworkRange = ({ spec }: Pick<ClusterFacts, 'spec'>): string => spec.networkCIDR ?? '172.30.0.0/24';

/** The network of a cluster's machines, and what is served in it. */
export function localNetwork(facts: ClusterFacts, places: LocalPlaces): Task {
  return {
    kind: 'local/Network',
    name: LOCAL_NETWORK,
    props: { cidr: localNetworkRange(facts), ...places },
  };
}
