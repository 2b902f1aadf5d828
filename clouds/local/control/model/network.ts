import type { Task } from '@kopsctl/tasks/task.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { stateKeyOf } from '@kopsctl/spec/state-key.ts';
import { placesOf } from '@kopsctl/model/store/store-places.ts';
import { completedValue } from '@kopsctl/model/completed-value.ts';

export interface LocalPlaces {
  /** The URL of the state store on the operator's machine. */
  readonly storeUrl: string;
  /** The folder that holds the files of the asset index. */
  readonly assetsDir: string;
  /** The file with the identities that open what is sealed in the state store. */
  readonly stateIdentity?: string;
}

/**
 * The address of the metadata service, as on the large clouds: it serves the facts of each machine, its part of the state
 * store, and the assets.
 */
export const METADATA_ADDRESS = '169.254.169.254';
const METADATA = `http://${METADATA_ADDRESS}`;
export const LOCAL_STORE_URL = `${METADATA}/state`;
/** As files in the machine, which saves a transfer of 700 MB per machine, and by HTTP. */
export const LOCAL_ASSETS_URLS = ['file:///opt/kops/assets', `${METADATA}/assets`] as const;

/** A registry that has the images of the prepared assets, and is asked before any other. */
export const REGISTRY_PORT = 5000;
export const LOCAL_REGISTRY = `${METADATA}:${REGISTRY_PORT}`;

export const LOCAL_NETWORK = 'network';

/** The address range of the machines of a local cluster. */
export const localNetworkRange = ({ spec }: Pick<ClusterFacts, 'spec'>): string =>
  completedValue('spec.networkCIDR', spec.networkCIDR);

/** The network of a cluster and the services in it. */
export function localNetwork(facts: ClusterFacts, { storeUrl, assetsDir, stateIdentity }: LocalPlaces): Task {
  // Also where objects are to be written in the clear: until that is done they are sealed.
  const opens = stateKeyOf(facts.cluster) !== undefined && stateIdentity !== undefined;
  const elsewhere = placesOf(facts).map((place) => ({ ...place }));
  return {
    kind: 'local/Network',
    name: LOCAL_NETWORK,
    props: {
      cidr: localNetworkRange(facts),
      storeUrl,
      assetsDir,
      ...(opens ? { stateIdentity } : {}),
      ...(elsewhere.length > 0 ? { storePlaces: elsewhere } : {}),
    },
  };
}
