import type { CloudRules } from '@kopsctl/model/create-cluster/cloud-rules.ts';
import type { CreateClusterFlags } from '@kopsctl/model/create-cluster/flags.ts';
import { given } from '@kopsctl/model/create-cluster/given.ts';
import { ownFlags } from '@kopsctl/model/create-cluster/own-flags.ts';
import { refusal, unknownWord } from '@kopsctl/model/create-cluster/refusal.ts';
import { AWS_FLAGS } from './create-cluster-flags.ts';

const certificateOf = (flags: CreateClusterFlags): string | undefined =>
  ownFlags(flags, AWS_FLAGS).text('apiSslCertificate');

/** What `create cluster` makes of the flags for the load balancer of the API. */
export const apiLoadBalancer: NonNullable<CloudRules['loadBalancer']> = {
  isWished: (flags) => certificateOf(flags) !== undefined,
  settings: (flags) => ({
    class: classOf(ownFlags(flags, AWS_FLAGS).text('apiLoadbalancerClass')),
    ...given({ sslCertificate: certificateOf(flags) }),
  }),
};

function classOf(word = 'network'): string {
  if (word === 'network') return 'Network';
  if (word === 'classic') {
    throw refusal(
      '--api-loadbalancer-class is classic, which neither kopsctl nor kops since 1.37 creates',
      'leave it out: the API gets a network load balancer',
    );
  }
  throw unknownWord('--api-loadbalancer-class', word, ['network']);
}
