import type { ZoneConfig, ZoneProvider } from '@kopsctl/node-plan/agent-config.ts';
import { localNetworkRange } from '../cloud/local/network.ts';
import { type ClusterFacts, firstAddress } from '../cluster-facts.ts';
import {
  DNS_UPDATE_KEY,
  isIpv6Only,
  leavesNamesToOthers,
  machinesNames,
  publishesNames,
  zoneName,
} from '../discovery.ts';
import { KOPS_KUBECONFIG } from './paths.ts';

const DNS_PORT = 53;

/** Whether machines change a name server's zone by RFC 2136, for which somebody has to bring a key. */
export const keepsNamesByUpdates = (facts: ClusterFacts): boolean => zoneConfig(facts)?.provider.name === 'RFC2136';

/** The zone that the control plane keeps the cluster's names in; undefined where it keeps none. */
export function zoneConfig(facts: ClusterFacts): ZoneConfig | undefined {
  const provider = zoneProvider(facts);
  if (provider === undefined || !publishesNames(facts) || leavesNamesToOthers(facts)) return undefined;
  const { externalDns } = facts.spec;
  return {
    kubeconfig: KOPS_KUBECONFIG,
    zone: zoneName(facts),
    provider,
    isIpv6Only: isIpv6Only(facts),
    ...machinesNames(facts),
    ...(externalDns?.provider === 'external-dns'
      ? {}
      : {
          objects: {
            ...(externalDns?.watchNamespace === undefined ? {} : { namespace: externalDns.watchNamespace }),
            ingresses: externalDns?.watchIngress === true,
          },
        }),
  };
}

function zoneProvider(facts: ClusterFacts): ZoneProvider | undefined {
  switch (facts.cloud) {
    case 'aws':
      return { name: 'Route53', isPrivate: facts.spec.topology?.dns?.type === 'Private' };
    case 'gce': {
      const { project, topology } = facts.spec;
      return { name: 'CloudDNS', ...(project && { project }), isPrivate: topology?.dns?.type === 'Private' };
    }
    case 'local':
      // Machines of a local network know one name server, at its gateway: whoever answers there takes updates too.
      return {
        name: 'RFC2136',
        address: firstAddress(localNetworkRange(facts)),
        port: DNS_PORT,
        keySecret: DNS_UPDATE_KEY,
      };
    default:
      return undefined;
  }
}
