import { createHash } from 'node:crypto';
import type { MachineRecord } from '../records/records.ts';

/** A file of a read-only layer. */
export interface LayerFile {
  readonly path: string;
  readonly mode: number;
  readonly text: string;
}

/** The files that distinguish one machine from another: the top layer of its root. */
export function seedFiles(machine: MachineRecord, userData: string, gateway: string): readonly LayerFile[] {
  const metaData = JSON.stringify({
    'instance-id': machine.name,
    'local-hostname': machine.nodeName,
    // The network is there from the start, so cloud-init can do all of its work in its first stage.
    dsmode: 'local',
  });
  return [
    { path: 'etc/hostname', mode: 0o644, text: `${machine.nodeName}\n` },
    { path: 'etc/machine-id', mode: 0o444, text: `${machine.machineId}\n` },
    {
      path: 'etc/hosts',
      mode: 0o644,
      text: `127.0.0.1 localhost\n::1 localhost ip6-localhost\n${machine.address} ${machine.nodeName}\n`,
    },
    // Nothing listens there, so a lookup fails immediately instead of timing out.
    { path: 'etc/resolv.conf', mode: 0o644, text: `nameserver ${gateway}\n` },
    { path: 'var/lib/cloud/seed/nocloud/meta-data', mode: 0o644, text: `${metaData}\n` },
    { path: 'var/lib/cloud/seed/nocloud/user-data', mode: 0o600, text: userData },
  ];
}

/** Equal for machines with the same user data; rolling updates compare it. */
export function hashUserData(userData: string): string {
  return createHash('sha256').update(userData).digest('hex');
}
