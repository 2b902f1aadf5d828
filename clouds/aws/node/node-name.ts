import type { WantedNames } from '@kopsctl/node-cloud/node-part.ts';

/** How the Nodes of a cluster are named. */
export type NodeNaming = 'instance-id' | 'private-dns';

/**
 * A Node has the id of its instance, which works for every kind of subnet and host name, unless the plan says that it has the
 * name of its address in DNS (control/naming.ts).
 */
export function nodeNaming(from: WantedNames | { readonly nodeName: string }): NodeNaming {
  if ('nodeName' in from) return /^i-[\da-f]+$/.test(from.nodeName) ? 'instance-id' : 'private-dns';
  return from.namesFromAddresses === true ? 'private-dns' : 'instance-id';
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
