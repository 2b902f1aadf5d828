import type { ClusterSpec } from '../cluster.ts';
import type { InstanceGroup } from '../instance-group.ts';
import { roleOf } from '../names.ts';
import { fault, type Fault } from './fault.ts';

/** How the names of images begin, and from which version on the system lacks what iptables needs of a kernel. */
const SYSTEMS: readonly (readonly [system: string, name: RegExp, since: number])[] = [
  ['Red Hat Enterprise Linux', /^rhel-(\d+)/i, 10],
  ['Rocky Linux', /^rocky-(?:linux-)?(\d+)/i, 10],
  ['CentOS Stream', /^centos[ -]stream[ -](\d+)/i, 10],
  ['Fedora', /^fedora-cloud-\D*(\d+)/i, 0],
];

/**
 * A group whose machines' kernel may lack the modules of iptables, as far as the name of the image tells, where kube-proxy
 * is to use them. kops turns the mode into nftables there (util/pkg/distributions, ForceNftables); here a mode is one for
 * all machines, so that a person decides.
 *
 * @param name of the image, without its owner
 */
export function* withoutIptables(spec: ClusterSpec, group: InstanceGroup, name: string): Iterable<Fault> {
  const { enabled, proxyMode = '' } = spec.kubeProxy ?? {};
  if (enabled !== true || !['', 'iptables'].includes(proxyMode) || roleOf(group) === 'Bastion') return;
  const found = SYSTEMS.find(([, start, since]) => Number(start.exec(name)?.[1] ?? -1) >= since);
  if (found === undefined) return;
  const [system, , since] = found;
  yield fault(
    'spec.image',
    `'${name}' is ${system}, whose kernel may lack what kube-proxy needs with iptables: no Service would be reached`,
    `set spec.kubeProxy.proxyMode: nftables in the cluster, or use ${since === 0 ? 'another system' : `a version below ${since}`}`,
  );
}
