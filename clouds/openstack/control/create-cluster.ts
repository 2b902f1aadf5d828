import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { CloudRules } from '@kopsctl/model/create-cluster/cloud-rules.ts';
import type { CreateClusterFlags, OpenstackFlags } from '@kopsctl/model/create-cluster/flags.ts';
import { given, nonEmpty } from '@kopsctl/model/create-cluster/given.ts';
import { assignSubnetCidrs } from '@kopsctl/model/create-cluster/subnet-cidrs.ts';
import { zonalSubnets } from '@kopsctl/model/create-cluster/zonal-subnets.ts';

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
  assignNetwork: (spec, facts) => assignSubnetCidrs(spec, facts.sharedNetwork),
};

/** Like kops (upup/pkg/fi/cloudup/new_cluster.go), including an external network without a name. */
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
    // The OVN provider supports no other method.
    method: provider === 'ovn' ? 'SOURCE_IP_PORT' : 'ROUND_ROBIN',
    provider,
    useOctavia,
    ...given({ floatingSubnet: nonEmpty(os.lbSubnet) }),
  };
}

type OpenstackConfiguration = NonNullable<NonNullable<ClusterSpec['cloudConfig']>['openstack']>;
