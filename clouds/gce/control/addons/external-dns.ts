import type { AddonObject } from '@kopsctl/model/addons/addon-object.ts';
import { asControlPlane } from '@kopsctl/model/addons/as-control-plane.ts';
import { externalDnsObjects } from '@kopsctl/model/addons/external-dns.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { publishesNames, zoneName } from '@kopsctl/model/discovery.ts';
import { hasPrivateZone } from '../private-zone.ts';
import { projectOf } from '../region.ts';

/** external-dns for managed zones of Cloud DNS. */
export function gceExternalDnsObjects(facts: ClusterFacts): readonly AddonObject[] {
  const { clusterName, spec } = facts;
  const isInZone = publishesNames(facts);
  return externalDnsObjects(facts, {
    flags: [
      '--provider=google',
      `--google-project=${projectOf(clusterName, spec)}`,
      // A project may have a public and a private zone of the same name.
      ...(isInZone ? [`--google-zone-visibility=${hasPrivateZone(spec) ? 'private' : 'public'}`] : []),
    ],
    zone: isInZone ? zoneName(facts) : spec.dnsZone,
    callingCloud: asControlPlane,
  });
}
