import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import type { RecordTrust } from '@kopsctl/gossip/records/signed/signed-records.ts';
import type { GossipRing, GossipSigning } from '@kopsctl/node-plan/agent-config.ts';
import { type GossipKey, parseKeys } from './gossip-keys.ts';

/** What a machine gossips with. Others replace these files while the agent runs. */
export interface GossipFiles {
  readonly keys: readonly GossipKey[];
  readonly trust: RecordTrust;
}

/**
 * Undefined while a file is not there, because this machine gets it once it is attested, or while the certificate and its
 * key do not belong together, because nodeup is replacing them one after the other.
 */
export async function readGossipFiles(
  { keysFile }: GossipRing,
  signing: GossipSigning,
): Promise<GossipFiles | undefined> {
  try {
    const keys = parseKeys(await readFile(keysFile, 'utf8'), keysFile);
    const trust = await readTrust(signing);
    return trust && { keys, trust };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function readTrust({ authoritiesFile, identity }: GossipSigning): Promise<RecordTrust | undefined> {
  const authoritiesPem = await readFile(authoritiesFile, 'utf8');
  if (identity === undefined) return { authoritiesPem };
  const [certificatePem, privateKeyPem] = await Promise.all([
    readFile(identity.certificateFile, 'utf8'),
    readFile(identity.keyFile, 'utf8'),
  ]);
  const isPair = new X509Certificate(certificatePem).checkPrivateKey(createPrivateKey(privateKeyPem));
  return isPair ? { authoritiesPem, identity: { certificatePem, privateKeyPem } } : undefined;
}
