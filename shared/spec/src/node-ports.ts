import type { ClusterSpec } from './cluster.ts';

const LAST_PORT = 65_535;

export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** Kubernetes's own default, which an API server uses if it is given none. */
const USUAL: PortRange = { first: 30_000, last: 32_767 };
export const DEFAULT_NODE_PORTS = `${USUAL.first}-${USUAL.last}`;

/**
 * Ports as Kubernetes reads them: `30000-32767`, `30000+2767` or `30000` (k8s.io/apimachinery/pkg/util/net/port_range.go).
 * Undefined for any other text.
 */
export function portRange(text: string): PortRange | undefined {
  const [, begin = '', sign, second = '0'] = /^(\d+)(?:([-+])(\d+))?$/.exec(text.trim()) ?? [];
  // One port has no sign and ends where it begins.
  const [first, last] = [Number(begin), sign === '-' ? Number(second) : Number(begin) + Number(second)];
  return begin !== '' && first <= last && last <= LAST_PORT ? { first, last } : undefined;
}

/** The ports on which nodes serve Services. kops's completed spec has them only where a firewall opens them. */
export const nodePorts = ({ kubeAPIServer }: ClusterSpec): PortRange =>
  portRange(kubeAPIServer?.serviceNodePortRange ?? '') ?? USUAL;

/** The same as `first-last`. */
export function nodePortsOf(spec: ClusterSpec): string {
  const { first, last } = nodePorts(spec);
  return `${first}-${last}`;
}
