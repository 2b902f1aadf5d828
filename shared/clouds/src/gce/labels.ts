export type Labels = Readonly<Record<string, string>>;

/** kops's names of labels (upup/pkg/fi/cloudup/gce/labels.go), which have to begin with a letter and know no dots. */
export const CLUSTER_LABEL = 'k8s-io-cluster-name';
export const INSTANCE_GROUP_LABEL = 'k8s-io-instance-group';
export const ROLE_LABEL_PREFIX = 'k8s-io-role-';
export const ETCD_LABEL_PREFIX = 'k8s-io-etcd-';

/**
 * How a label names a cluster: without dots. Clusters whose names differ in nothing but dots and dashes have the same
 * label, so that a project may hold only one of them.
 */
export const clusterLabel = (cluster: string): string => cluster.replaceAll('.', '-');

/** Whether labels say that something is this cluster's. */
export const isOfCluster = (cluster: string, labels: Labels): boolean =>
  labels[CLUSTER_LABEL] === clusterLabel(cluster);

/** Writes any text in the letters that a label's value may have, the way kops does: `a/a,b` is `a-2fa-2cb`. */
export function encodeLabel(text: string): string {
  return [...Buffer.from(text, 'utf8')]
    .map((byte) => {
      const letter = String.fromCharCode(byte);
      return /[0-9a-z]/.test(letter) ? letter : `-${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');
}

/** Reads what `encodeLabel` wrote; undefined for a label that somebody else wrote. */
export function decodeLabel(label: string): string | undefined {
  try {
    return decodeURIComponent(label.replaceAll('-', '%'));
  } catch {
    return undefined;
  }
}
