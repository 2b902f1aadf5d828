import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ifThere } from '@kopsctl/files/if-there.ts';
import { inspectCertificate, type InspectedCertificate } from '@kopsctl/pki/inspect.ts';
import { signingCertificate } from '@kopsctl/pki/keyset.ts';
import { needsRenewal } from '@kopsctl/pki/renewal.ts';
import type { Handler, Step } from '@kopsctl/tasks/task.ts';
import * as z from 'zod';
import { replaceFile } from './replace-file.ts';
import { readKeyset } from './file-content.ts';
import type { NodeEnv } from './node-env.ts';
import { absolutePath, ordered } from './ordered.ts';
import { ownerOf } from './owner.ts';

const schema = z.strictObject({
  certificatePath: absolutePath,
  keyPath: absolutePath,
  signer: z.string(),
  commonName: z.string(),
  organizations: z.array(z.string()).default([]),
  dnsNames: z.array(z.string()).default([]),
  ipAddresses: z.array(z.string()).default([]),
  usages: z.array(z.enum(['server', 'client'])),
  validityDays: z.number().positive(),
  owner: z.string().optional(),
  ...ordered,
});
type Props = z.infer<typeof schema>;

interface FoundCertificate {
  readonly certificate: InspectedCertificate;
  readonly nowMs: number;
}

/** A power failure may leave a broken certificate; it is issued again like a missing one. */
function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).serialNumber !== '';
  } catch {
    return false;
  }
}

/** A leaf certificate. Its key is made on this host and never leaves it. */
export const certificateHandler: Handler<NodeEnv, Props, FoundCertificate> = {
  kind: 'Certificate',
  parse: (props) => schema.parse(props),

  async find(_name, props, env, signal) {
    const read = (path: string) => ifThere(readFile(join(env.root, path), 'utf8'));
    const [pem, privateKeyPem] = await Promise.all([read(props.certificatePath), read(props.keyPath)]);
    if (pem === undefined || !isCertificate(pem)) return undefined;
    const authoritiesPem = signingCertificate(await readKeyset(props.signer, 'issued', env, signal));
    const certificate = inspectCertificate(pem, { authoritiesPem, privateKeyPem: privateKeyPem ?? '' });
    return { certificate, nowMs: env.nowMs() };
  },

  plan(_name, props, actual): readonly Step[] {
    const why = needsRenewal(actual?.certificate, props, actual?.nowMs ?? 0);
    if (why === undefined) return [];
    const reason = actual === undefined ? '' : `: ${why}`;
    return [{ action: 'issue', summary: `issue ${props.certificatePath} for ${props.commonName}${reason}` }];
  },

  async apply(_step, _name, props, env, signal) {
    const { issueLeaf } = await import('@kopsctl/pki/issue.ts');
    const authority = await readKeyset(props.signer, 'private', env, signal);
    const leaf = await issueLeaf({ ...props, authority, nowMs: env.nowMs() });
    const owner = env.root === '/' ? await ownerOf(env.root, props.owner) : undefined;
    const encode = (text: string) => new TextEncoder().encode(text);
    // The key first: a reader takes a certificate as a sign that both are there.
    await replaceFile(join(env.root, props.keyPath), encode(leaf.privateKeyPem), 0o600, owner);
    await replaceFile(join(env.root, props.certificatePath), encode(leaf.certificatePem), 0o644, owner);
  },
};
