import { spawn, type ChildProcess } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Keyset } from '@kopsctl/pki/keyset.ts';
import { certified } from './certify-names.ts';
import type { ProtokubeConfig } from '@kopsctl/node-plan/agent-config.ts';

export const CLUSTER = 'bench.k8s.local';
export const API = `api.internal.${CLUSTER}`;
/** A name that no plan asks for, so that it needs no signature. */
export const OTHER_NAME = `printer.${CLUSTER}`;
/** memberlist's port, which simulated machines use. */
export const GOSSIP_PORT = 7946;

/** A protokube from the agents' binary, with its own /etc. */
export interface Protokube {
  readonly name: string;
  readonly child: ChildProcess;
  /** The path of its /etc/hosts from outside. */
  readonly hostsPath: string;
}

/**
 * Starts the agent with the configuration of a worker, or with the parts of a control plane's that need no API server.
 */
export async function startProtokube(options: {
  readonly binary: string;
  readonly folder: string;
  readonly name: string;
  readonly address: string;
  readonly role: ProtokubeConfig['role'];
  readonly key: Uint8Array;
  /** Certifies who may sign names. */
  readonly authority: Keyset;
}): Promise<Protokube> {
  const { name, address, role, binary } = options;
  const etc = join(options.folder, name);
  const hostsPath = join(etc, 'hosts');
  await mkdir(join(etc, 'kops'), { recursive: true });
  await writeFile(hostsPath, '127.0.0.1 localhost\n');
  await writeFile(join(etc, 'kops/gossip-keys'), `${Buffer.from(options.key).toString('base64')}\n`);
  const { authoritiesPem, identity } = await certified(options.authority, name, [address]);
  await writeFile(join(etc, 'kops/authorities'), authoritiesPem);
  await writeFile(join(etc, 'kops/names.crt'), identity.certificatePem);
  await writeFile(join(etc, 'kops/names.key'), identity.privateKeyPem);
  const signs = { identity: { certificateFile: '/etc/kops/names.crt', keyFile: '/etc/kops/names.key' } };
  const config: ProtokubeConfig = {
    cluster: CLUSTER,
    cloud: 'local',
    stateStore: 'file:///var/lib/kopsctl/state',
    role,
    nodeName: name,
    address,
    volumes: [],
    hosts: [{ name: API, role: 'ControlPlane' }],
    state: { kubeconfig: '/nowhere' },
    gossip: {
      rings: [{ name: 'workers', port: GOSSIP_PORT, keysFile: '/etc/kops/gossip-keys' }],
      signing: { authoritiesFile: '/etc/kops/authorities', ...(role === 'ControlPlane' && signs) },
    },
  };
  await writeFile(join(etc, 'kops/protokube.json'), JSON.stringify(config));
  const script = 'mount --bind "$1" /etc && exec -a protokube "$2" --config /etc/kops/protokube.json';
  const child = spawn('unshare', ['--mount', 'bash', '-c', script, 'bash', etc, binary], {
    stdio: 'ignore',
    env: { PATH: process.env['PATH'] },
  });
  return { name, child, hostsPath };
}

/**
 * A copy of the agents' binary, written piece by piece as the bootstrap script of a machine does. The number of
 * resident pages depends on that: if a file was written at once, whole megabytes are mapped for a single page.
 */
export async function asDownloaded(binary: string, folder: string): Promise<string> {
  const file = join(folder, 'kops-agents');
  await pipeline(createReadStream(binary), createWriteStream(file, { mode: 0o755 }));
  return file;
}
