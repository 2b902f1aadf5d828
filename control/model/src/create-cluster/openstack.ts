import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { CloudRules } from './cloud-rules.ts';
import type { CreateClusterFlags, OpenstackFlags } from './flags.ts';
import { given, nonEmpty } from './given.ts';
import { assignSubnetCidrs } from './subnet-cidrs.ts';
import { zonalSubnets } from './zonal-subnets.ts';

export const openstack: CloudRules = {
  name: 'openstack',
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
  assignNetwork: (spec, facts) => assignSubnetCidrs(spec, facts.sharedNetwork),
};

/** As kops writes it (upup/pkg/fi/cloudup/new_cluster.go), an unnamed external network included. */
function configuration({ name, openstack: os = {}, apiLoadbalancerType }: CreateClusterFlags): OpenstackConfiguration {
  return {
    blockStorage: { 'bs-version': 'v3', clusterName: name, 'ignore-volume-az': os.ignoreVolumeZones ?? false },
    monitor: { delay: '15s', maxRetries: 3, timeout: '10s' },
    router: {
      externalNetwork: os.externalNet ?? '',
      ...given({ dnsServers: nonEmpty(os.dnsServers), externalSubnet: nonEmpty(os.externalSubnet) }),
    },
    ...(nonEmpty(apiLoadbalancerType) === undefined ? {} : { loadbalancer: loadBalancer(os) }),
  };
}

function loadBalancer(os: OpenstackFlags): NonNullable<OpenstackConfiguration['loadbalancer']> {
  const useOctavia = os.octavia ?? false;
  const provider = useOctavia ? (nonEmpty(os.octaviaProvider) ?? 'octavia') : 'haproxy';
  return {
    floatingNetwork: os.externalNet ?? '',
    // OVN's balancer knows no other method.
    method: provider === 'ovn' ? 'SOURCE_IP_PORT' : 'ROUND_ROBIN',
    provider,
    useOctavia,
    ...given({ floatingSubnet: nonEmpty(os.lbSubnet) }),
  };
}

type OpenstackConfiguration = NonNullable<NonNullable<ClusterSpec['cloudConfig']>['openstack']>;
