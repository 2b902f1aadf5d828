import type { HostMount } from './static-pod.ts';

/**
 * Where distributions keep the CAs that everybody trusts. With the family of RHEL, /etc/ssl leads to /etc/pki (kops
 * nodeup/pkg/model/context.go).
 */
export const SYSTEM_AUTHORITIES: readonly HostMount[] = [
  { name: 'etcssl', path: '/etc/ssl', readOnly: true },
  { name: 'etcpkitls', path: '/etc/pki/tls', readOnly: true, type: 'DirectoryOrCreate' },
  { name: 'etcpkicatrust', path: '/etc/pki/ca-trust', readOnly: true, type: 'DirectoryOrCreate' },
];
