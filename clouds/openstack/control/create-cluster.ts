import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { CloudRules } from '@kopsctl/model/create-cluster/cloud-rules.ts';
import type { CreateClusterFlags } from '@kopsctl/model/create-cluster/flags.ts';
import { given, nonEmpty } from '@kopsctl/model/create-cluster/given.ts';
import { ownFlags } from '@kopsctl/model/create-cluster/own-flags.ts';
import { assignSubnetCidrs } from '@kopsctl/model/create-cluster/subnet-cidrs.ts';
import { zonalSubnets } from '@kopsctl/model/create-cluster/zonal-subnets.ts';
import { OPENSTACK_FLAGS } from './create-cluster-flags.ts';

/** In a smaller subnet DHCP, the gateway and a machine have no room. */
const LONGEST_PREFIX = 29;

/** Names of images and flavors differ between installations, so none is inferred. */
export const openstackCreation: CloudRules = {
  settings: (flags) => ({
    cloudConfig: { openstack: configuration(flags) },
    cloudControllerManager: { clusterName: flags.name },
  }),
  subnets: zonalSubnets,
  placesByZone: false,
  utilitySubnets: true,
  encryptsEtcd: false,
  numbersControlPlanes: false,
  networkHasRange: true,
  assignNetwork: (spec, facts) => assignSubnetCidrs(spec, facts.sharedNetwork, LONGEST_PREFIX),
};

/** Like kops (upup/pkg/fi/cloudup/new_cluster.go), including an external network without a name. */
function configuration(flags: CreateClusterFlags): OpenstackConfiguration {
  const { name, apiLoadbalancerType } = flags;
  const { text, isOn } = ownFlags(flags, OPENSTACK_FLAGS);
  return {
    blockStorage: { 'bs-version': 'v3', clusterName: name, 'ignore-volume-az': isOn('osKubeletIgnoreAz') },
    monitor: { delay: '15s', maxRetries: 3, timeout: '10s' },
    router: {
      externalNetwork: text('osExtNet') ?? '',
      ...given({ dnsServers: text('osDnsServers'), externalSubnet: text('osExtSubnet') }),
    },
    ...(nonEmpty(apiLoadbalancerType) === undefined ? {} : { loadbalancer: loadBalancer(flags) }),
  };
}

function loadBalancer(flags: CreateClusterFlags): NonNullable<OpenstackConfiguration['loadbalancer']> {
  const { text, isOn } = ownFlags(flags, OPENSTACK_FLAGS);
  const useOctavia = isOn('osOctavia');
  const provider = useOctavia ? (text('osOctaviaProvider') ?? 'octavia') : 'haproxy';
  return {
    floatingNetwork: text('osExtNet') ?? '',
    // The OVN provider supports no other method.
    method: provider === 'ovn' ? 'SOURCE_IP_PORT' : 'ROUND_ROBIN',
    provider,
    useOctavia,
    ...given({ floatingSubnet: text('osLbFloatingSubnet') }),
  };
}

type OpenstackConfiguration = NonNullable<NonNullable<ClusterSpec['cloudConfig']>['openstack']>;
