import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { ifThere } from '@kopsctl/files/if-there.ts';
import { replaceFile } from '@kopsctl/files/replace-file.ts';
import {
  certificateRequest,
  type KubeletSubject,
  NODES_GROUP,
  nodeUser,
} from '@kopsctl/node-identity/certificate-request.ts';
import type { Certificates } from '@kopsctl/node-identity/messages.ts';
import type { IdentityConfig } from '@kopsctl/node-plan/agent-config.ts';
import { inspectCertificate, type InspectedCertificate } from '@kopsctl/pki/inspect.ts';
import { createKeyPair } from '@kopsctl/pki/key-pair.ts';
import { needsRenewal } from '@kopsctl/pki/renewal.ts';

type KubeletFiles = IdentityConfig['kubelet'];

/** Why kubelet's certificates have to be signed again; undefined if they are good. */
export async function whyCertificatesNeeded(
  files: KubeletFiles,
  subject: KubeletSubject,
  nowMs: number,
): Promise<string | undefined> {
  const { nodeName, dnsNames, ipAddresses } = subject;
  const named = { commonName: nodeUser(nodeName), organizations: [NODES_GROUP] };
  const [client, serving] = await Promise.all([inspected(files.client), inspected(files.serving)]);
  const why = needsRenewal(client, { ...named, usages: ['client'] }, nowMs);
  if (why !== undefined) return `the client certificate: ${why}`;
  const whyServing = needsRenewal(serving, { ...named, dnsNames, ipAddresses, usages: ['server'] }, nowMs);
  return whyServing && `the serving certificate: ${whyServing}`;
}

async function inspected(basePath: string): Promise<InspectedCertificate | undefined> {
  const [pem, privateKeyPem] = await Promise.all([
    ifThere(readFile(`${basePath}.crt`, 'utf8')),
    ifThere(readFile(`${basePath}.key`, 'utf8')),
  ]);
  if (pem === undefined || privateKeyPem === undefined) return undefined;
  try {
    return inspectCertificate(pem, { privateKeyPem });
  } catch {
    return undefined; // A power failure can leave half a file. The next certificate replaces it.
  }
}

/** New keys, which never leave this machine, and the requests for their certificates. */
export interface RequestedPair {
  readonly subject: KubeletSubject;
  readonly keys: Certificates;
  readonly requests: Certificates;
}

/** The pair that is being signed already, if it is for the same names and addresses; otherwise a new one. */
export async function pairFor(
  { nodeName, dnsNames, ipAddresses }: KubeletSubject,
  requested: RequestedPair | undefined,
): Promise<RequestedPair> {
  const subject = { nodeName, dnsNames, ipAddresses };
  if (requested !== undefined && isDeepStrictEqual(requested.subject, subject)) return requested;
  const [client, serving] = await Promise.all([createKeyPair(), createKeyPair()]);
  return {
    subject,
    keys: { client: client.privateKeyPem, serving: serving.privateKeyPem },
    requests: {
      client: await certificateRequest({ nodeName, dnsNames: [], ipAddresses: [] }, client.privateKeyPem),
      serving: await certificateRequest(subject, serving.privateKeyPem),
    },
  };
}

/** The client certificate comes last: where it is, all the others are. */
export async function keepCertificates(
  files: KubeletFiles,
  keys: Certificates,
  certificates: Certificates,
): Promise<void> {
  for (const name of ['serving', 'client'] as const) {
    const written = { folderMode: 0o755 };
    await replaceFile(`${files[name]}.key`, keys[name], { ...written, mode: 0o600 });
    await replaceFile(`${files[name]}.crt`, certificates[name], { ...written, mode: 0o644 });
  }
}
