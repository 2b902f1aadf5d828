/**
 * Where other machines send packets for a node's pods, as labels of its Node: its pod network, and the address of its
 * machine. Kubernetes lets no kubelet set labels of `node-restriction.kubernetes.io` (NodeRestriction), unlike the
 * `spec.podCIDR` and `status.addresses` of its Node. So only a control plane decides on routes.
 */
export const NETWORK_LABEL = 'kopsctl.node-restriction.kubernetes.io/pod-network';
export const ADDRESS_LABEL = 'kopsctl.node-restriction.kubernetes.io/address';

/** A range as a label's value, which cannot contain a slash: `100.96.1.0-24`. */
export function networkLabel(cidr: string): string {
  return cidr.replace('/', '-');
}

/** The range that a label's value means; undefined when it has another form. */
export function networkOf(label: string | undefined): string | undefined {
  return label !== undefined && /^\d+\.\d+\.\d+\.\d+-\d+$/.test(label) ? label.replace('-', '/') : undefined;
}

/** The address that a label's value means; undefined when it has another form. */
export function addressOf(label: string | undefined): string | undefined {
  return label !== undefined && /^\d+\.\d+\.\d+\.\d+$/.test(label) ? label : undefined;
}
