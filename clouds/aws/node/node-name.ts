import type { WantedNames } from '@kopsctl/node-cloud/node-part.ts';
import semver from 'semver';

/** How the Nodes of a cluster are named. */
export type NodeNaming = 'instance-id' | 'private-dns';

/**
 * From Kubernetes 1.23 on a Node has the id of its instance, which works for every kind of subnet and host name, unless
 * the spec wants the name that its address has in DNS. Before, the cloud provider only finds an instance by its private DNS name (kops 1.23, nodeup/pkg/model/kubelet.go).
 */
export function nodeNaming(from: WantedNames | { readonly nodeName: string }): NodeNaming {
  if ('nodeName' in from) return /^i-[\da-f]+$/.test(from.nodeName) ? 'instance-id' : 'private-dns';
  if (from.namesFromAddresses === true) return 'private-dns';
  const release = semver.coerce(from.kubernetesVersion);
  return release !== null && semver.lt(release, '1.23.0') ? 'private-dns' : 'instance-id';
}

export interface NamedInstance {
  readonly instanceId: string;
  /** A VPC with several domain names lists them separated by spaces. */
  readonly privateDnsName: string;
}

/** The name of an instance's Node. */
export function nodeNameOf({ instanceId, privateDnsName }: NamedInstance, naming: NodeNaming): string {
  const name = naming === 'instance-id' ? instanceId : (privateDnsName.split(' ')[0] ?? '');
  return name === '' ? instanceId : name.toLowerCase();
}
