/**
 * The repositories of addons' images that `npm run assets -- --images` prepares, under the last part of their names. The book
 * of recipes has a row for each (packaging/assets/src/images.ts).
 */
export const PREPARED_ON_REQUEST: ReadonlySet<string> = new Set([
  'ghcr.io/flannel-io/flannel',
  'ghcr.io/flannel-io/flannel-cni-plugin',
  'quay.io/jetstack/cert-manager-acmesolver',
  'quay.io/jetstack/cert-manager-cainjector',
  'quay.io/jetstack/cert-manager-controller',
  'quay.io/jetstack/cert-manager-webhook',
  'registry.k8s.io/cpa/cluster-proportional-autoscaler',
  'registry.k8s.io/dns/k8s-dns-dnsmasq-nanny',
  'registry.k8s.io/dns/k8s-dns-kube-dns',
  'registry.k8s.io/dns/k8s-dns-node-cache',
  'registry.k8s.io/dns/k8s-dns-sidecar',
  'registry.k8s.io/metrics-server/metrics-server',
  'registry.k8s.io/sig-storage/snapshot-controller',
]);
