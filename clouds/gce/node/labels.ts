export type Labels = Readonly<Record<string, string>>;

/**
 * kops's names of labels (upup/pkg/fi/cloudup/gce/labels.go), which must begin with a letter and cannot contain dots.
 */
export const CLUSTER_LABEL = 'k8s-io-cluster-name';
export const INSTANCE_GROUP_LABEL = 'k8s-io-instance-group';
export const ROLE_LABEL_PREFIX = 'k8s-io-role-';
export const ETCD_LABEL_PREFIX = 'k8s-io-etcd-';

/** The label of the disks of an etcd cluster. */
export const etcdLabel = (etcdCluster: string): string => ETCD_LABEL_PREFIX + etcdCluster;

/** What Google takes as the key and as the value of a label (https://cloud.google.com/compute/docs/labeling-resources). */
export const LABEL_KEY = /^[\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\p{N}_-]{0,62}$/u;
export const LABEL_VALUE = /^[\p{Ll}\p{Lo}\p{N}_-]{0,63}$/u;

/**
 * The name of a cluster in labels: dots become dashes. Clusters whose names only differ in dots and dashes have the
 * same label, so a project may contain only one of them.
 */
export const clusterLabel = (cluster: string): string => cluster.replaceAll('.', '-');

/** Whether the labels mark a resource of this cluster. */
export const isOfCluster = (cluster: string, labels: Labels): boolean =>
  labels[CLUSTER_LABEL] === clusterLabel(cluster);

/** Encodes any text with the characters of a label value, like kops: `a/a,b` is `a-2fa-2cb`. */
export function encodeLabel(text: string): string {
  return [...Buffer.from(text, 'utf8')]
    .map((byte) => {
      const letter = String.fromCharCode(byte);
      return /[0-9a-z]/.test(letter) ? letter : `-${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');
}

/** Decodes the output of `encodeLabel`; undefined for a label that others wrote. */
export function decodeLabel(label: string): string | undefined {
  try {
    return decodeURIComponent(label.replaceAll('-', '%'));
  } catch {
    return undefined;
  }
}
