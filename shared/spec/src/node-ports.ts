import type { ClusterSpec } from './cluster.ts';

/** Kubernetes's own default, which an API server uses if it is given none. */
export const DEFAULT_NODE_PORTS = '30000-32767';

/** The ports on which nodes serve Services. kops's completed spec has them only where a firewall opens them. */
export const nodePortsOf = ({ kubeAPIServer }: ClusterSpec): string =>
  kubeAPIServer?.serviceNodePortRange ?? DEFAULT_NODE_PORTS;
