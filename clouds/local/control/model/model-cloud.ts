import { firstAddress } from '@kopsctl/model/cluster-facts.ts';
import { DNS_UPDATE_KEY } from '@kopsctl/model/discovery.ts';
import type { ModelCloud } from '@kopsctl/model/cluster-facts.ts';
import { localStorage } from '../addons/local-path.ts';
import { LOCAL_TRAITS } from '../traits.ts';
import { LOCAL_REGISTRY, localNetworkRange, METADATA_ADDRESS } from './network.ts';

const DNS_PORT = 53;

/** What the builders of every cluster ask of the local cloud. */
export const localModelCloud: ModelCloud = {
  name: 'local',
  registryMirror: LOCAL_REGISTRY,
  traits: LOCAL_TRAITS,
  metadata: { ipv4: METADATA_ADDRESS },
  addons: { storage: localStorage },
  // Machines have one name server, at the gateway of their network, which also accepts updates.
  zoneProvider: (facts) => ({
    name: 'RFC2136',
    address: firstAddress(localNetworkRange(facts)),
    port: DNS_PORT,
    keySecret: DNS_UPDATE_KEY,
  }),
  kubeletFields: {
    // Machines have the cgroups of their host, whichever version; from 1.35 on kubelet refuses version 1 unless told.
    failCgroupV1: false,
    // A static pod that starts before its node is registered appears in the API only at the next sync.
    syncFrequency: '1s',
  },
  // Docker requests capabilities and OOM scores that a machine may not have; the wrapper in the image of the machine
  // removes them (docs/local-cloud.md).
  dockerSettings: {
    'default-runtime': 'local',
    runtimes: { local: { path: '/usr/local/lib/local-machine/runc' } },
  },
};
