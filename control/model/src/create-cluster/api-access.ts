import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { CloudRules } from './cloud-rules.ts';
import type { CreateClusterFlags } from './flags.ts';
import { nonEmpty } from './given.ts';
import { refusal, unknownWord } from './refusal.ts';
import type { DnsType, Topology } from './topology.ts';

/** All addresses of IPv4 and IPv6: kops's default. */
const EVERYBODY = ['0.0.0.0/0', '::/0'];

/** The networks from which the API and SSH can be reached. SSH uses the list of the API unless it has its own. */
export function accessListsOf({ adminAccess, sshAccess }: CreateClusterFlags) {
  const kubernetesApiAccess = nonEmpty(adminAccess) ?? EVERYBODY;
  return { kubernetesApiAccess, sshAccess: nonEmpty(sshAccess) ?? kubernetesApiAccess };
}

/** A public cluster with records in public DNS needs only a name. All others get a load balancer. */
export function apiOf(
  flags: CreateClusterFlags,
  { loadBalancer: own }: Pick<CloudRules, 'loadBalancer'>,
  cluster: { readonly topology: Topology; readonly dns: DnsType },
): NonNullable<ClusterSpec['api']> {
  const wanted = nonEmpty(flags.apiLoadbalancerType) !== undefined || own?.isWished(flags) === true;
  const namesServe = cluster.topology === 'public' && cluster.dns !== 'None' && !flags.name.endsWith('.k8s.local');
  if (!wanted && namesServe) return { dns: {} };
  const type = typeOf(nonEmpty(flags.apiLoadbalancerType));
  if (type === 'Internal' && cluster.topology === 'public') {
    throw refusal('an internal load balancer is in private subnets', 'add --topology private, or leave out its type');
  }
  return { loadBalancer: { type, ...own?.settings(flags) } };
}

function typeOf(word = 'public'): string {
  if (word === 'public') return 'Public';
  if (word === 'internal') return 'Internal';
  throw unknownWord('--api-loadbalancer-type', word, ['public', 'internal']);
}

/** RBAC by default. */
export function authorizationOf(word: string | undefined): NonNullable<ClusterSpec['authorization']> {
  switch ((word ?? '').toLowerCase()) {
    case '':
    case 'rbac':
      return { rbac: {} };
    case 'alwaysallow':
      return { alwaysAllow: {} };
    default:
      throw unknownWord('--authorization', word ?? '', ['RBAC', 'AlwaysAllow']);
  }
}
