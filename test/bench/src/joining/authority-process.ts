import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { authorityName } from '@kopsctl/node-identity/addresses.ts';
import type { NodeAuthorityConfig } from '@kopsctl/node-plan/agent-config.ts';
import { issueLeaf } from '@kopsctl/pki/issue.ts';
import type { Keyset } from '@kopsctl/pki/keyset.ts';
import { AGENT_FLAGS, buildAgentsBundle } from '../../../../packaging/binary/src/build.ts';
import { MAIN_CHUNK } from '../../../../packaging/binary/src/bundle.ts';

interface AuthorityOf extends Pick<NodeAuthorityConfig, 'cluster' | 'broker' | 'machinePort' | 'kubeconfig'> {
  readonly folder: string;
  readonly authorityCa: Keyset;
}

/** node-authority as it is on machines: the bundle and the flags of the agents' binary, and a configuration like nodeup's. */
export async function startAuthority({ folder, authorityCa, ...own }: AuthorityOf): Promise<ChildProcess> {
  const name = authorityName(own.cluster);
  const leaf = await issueLeaf({
    authority: authorityCa,
    commonName: name,
    dnsNames: [name],
    usages: ['server'],
    validityDays: 1,
    nowMs: Date.now(),
  });
  const [certificate, key] = [join(folder, 'server.crt'), join(folder, 'server.key')];
  await writeFile(certificate, leaf.certificatePem);
  await writeFile(key, leaf.privateKeyPem, { mode: 0o600 });
  const config: NodeAuthorityConfig = { ...own, cloud: 'local', nodeName: 'control-plane-1', certificate, key };
  const path = join(folder, 'node-authority.json');
  await writeFile(path, JSON.stringify(config));
  const { dir } = await buildAgentsBundle();
  await using log = await open(logOf(folder), 'a');
  const args = [...AGENT_FLAGS, join(dir, MAIN_CHUNK), 'node-authority', '--config', path];
  const child = spawn(process.execPath, args, { stdio: ['ignore', log.fd, log.fd] });
  await once(child, 'spawn');
  return child;
}

const logOf = (folder: string): string => join(folder, 'node-authority.log');

/** The end of what it has logged. */
export async function lastWordsOf(folder: string): Promise<string> {
  return (await readFile(logOf(folder), 'utf8')).slice(-4000);
}
