import type { AddonObject } from '@kopsctl/model/addons/addon-object.ts';
import { externalDnsObjects } from '@kopsctl/model/addons/external-dns.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { regionOf } from '../region.ts';
import { callingAws } from './aws-identity.ts';

/** external-dns for hosted zones of Route 53. */
export const awsExternalDnsObjects = (facts: ClusterFacts): readonly AddonObject[] =>
  externalDnsObjects(facts, {
    flags: ['--provider=aws'],
    zone: facts.spec.dnsZone,
    env: { AWS_REGION: regionOf(facts.clusterName, facts.spec) },
    callingCloud: (account, pod) => callingAws(facts, account, pod),
  });
