import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clientFiles } from '@kopsctl/etcd-manager/etcd/certificates.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';

export interface BenchMachine {
  readonly cluster: string;
  readonly folder: string;
  readonly storeUrl: string;
  readonly address: string;
  readonly member: string;
  readonly members: readonly string[];
  readonly binDir: string;
  readonly version: string;
  readonly clientPort: number;
  readonly peerPort: number;
}

/** The configuration that nodeup would write, with addresses instead of names, so that /etc/hosts stays unchanged. */
export function benchConfig(machine: BenchMachine): EtcdClusterConfig {
  return {
    name: 'main',
    mountPoint: join(machine.folder, 'volume'),
    members: machine.members,
    memberHost: '127.0.0.<member>',
    clientPort: machine.clientPort,
    peerPort: machine.peerPort,
    etcdVersion: machine.version,
    binDir: machine.binDir,
    backupPath: `${machine.cluster}/backups/etcd/main`,
    peersCa: 'etcd-peers-ca-main',
    clientsCa: 'etcd-clients-ca',
    env: [
      { name: 'ETCD_LISTEN_CLIENT_URLS', value: `https://${machine.address}:${machine.clientPort}` },
      { name: 'ETCD_QUOTA_BACKEND_BYTES', value: String(4 * 1024 ** 3) },
    ],
  };
}

/** Mounts the machine's volume and starts its manager. */
export async function startManager(machine: BenchMachine, script: string): Promise<ChildProcess> {
  const { mountPoint } = benchConfig(machine);
  await mkdir(mountPoint, { recursive: true });
  await mkdir(join(machine.folder, 'manifests'), { recursive: true });
  const { member, members } = machine;
  await writeFile(join(mountPoint, '.member'), JSON.stringify({ member, members, volumeId: `vol-${member}` }));
  await using log = await open(join(machine.folder, 'manager.log'), 'a');
  const child = spawn(process.execPath, [script, JSON.stringify(machine)], { stdio: ['ignore', log.fd, log.fd] });
  await once(child, 'spawn');
  return child;
}

export async function stopManager(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** The command line of `etcdctl` for this machine's etcd. */
export function credentialFlags(machine: BenchMachine): readonly string[] {
  const { ca, cert, key } = clientFiles(benchConfig(machine).mountPoint);
  const endpoint = `https://${machine.address}:${machine.clientPort}`;
  return [`--endpoints=${endpoint}`, `--cacert=${ca}`, `--cert=${cert}`, `--key=${key}`];
}
