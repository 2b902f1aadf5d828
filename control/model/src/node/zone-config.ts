import type { ZoneConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { ClusterFacts } from '../cluster-facts.ts';
import { isIpv6Only, leavesNamesToOthers, machinesNames, publishesNames, zoneName } from '../discovery.ts';
import { KOPS_KUBECONFIG } from './paths.ts';

/** Whether machines change a name server's zone by RFC 2136, for which somebody has to bring a key. */
export const keepsNamesByUpdates = (facts: ClusterFacts): boolean => zoneConfig(facts)?.provider.name === 'RFC2136';

/** The zone that the control plane keeps the cluster's names in; undefined where it keeps none. */
export function zoneConfig(facts: ClusterFacts): ZoneConfig | undefined {
  const provider = facts.cloud.zoneProvider(facts);
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
