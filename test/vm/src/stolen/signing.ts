import { X509Certificate } from 'node:crypto';
import { KubeError, type KubeClient } from '@kopsctl/kube/client.ts';
import { decided, parseSigningRequest, REQUESTS } from '@kopsctl/node-authority/certificates/signing-request.ts';
import { certificateRequest, type CertificateWish } from '@kopsctl/test-conformance/certificate-request.ts';
import { until } from '../cluster.ts';

export interface SigningWish extends CertificateWish {
  readonly signer: string;
  readonly usage: 'client auth' | 'server auth';
}

/** A certificate for longer than any signer gives. */
const SECONDS = 10 * 365 * 24 * 3600;

const soon = (): AbortSignal => AbortSignal.timeout(30_000);
const refusal = (error: unknown): string => {
  if (!(error instanceof KubeError)) throw error;
  return `${error.status} ${error.message.replace(/^.*? answered \d+: /s, '').split('\n')[0] ?? ''}`;
};

/** Puts a request for a certificate to the API. Resolves with why it is not accepted, or undefined. */
export async function requests(client: KubeClient, name: string, wish: SigningWish): Promise<string | undefined> {
  const request = Buffer.from(await certificateRequest(wish)).toString('base64');
  const usages = ['digital signature', 'key encipherment', wish.usage];
  const spec = { request, signerName: wish.signer, usages, expirationSeconds: SECONDS };
  const object = { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest', metadata: { name }, spec };
  return client.create(REQUESTS, object, soon()).then(() => undefined, refusal);
}

/**
 * Puts a request to the API and approves it. Resolves with what kube-controller-manager makes of it: for how long it has signed,
 * or why it has not.
 */
export async function signedFor(client: KubeClient, name: string, wish: SigningWish): Promise<string> {
  const refused = await requests(client, name, wish);
  if (refused !== undefined) return refused;
  const read = async () => parseSigningRequest(await client.get(`${REQUESTS}/${name}`, soon()));
  const approved = decided(await read(), 'Approved', 'Thief', 'by a thief');
  const kept = await client.replace(`${REQUESTS}/${name}/approval`, approved, soon()).then(() => undefined, refusal);
  if (kept !== undefined) return `not approved: ${kept}`;
  return until(`kube-controller-manager has looked at ${name}`, 60_000, async () => {
    const { decision, reason, certificate } = await read();
    if (decision === 'refused') return `not signed: ${reason}`;
    return certificate === undefined ? undefined : `signed ${describe(new X509Certificate(certificate))}`;
  });
}

function describe({ validFromDate, validToDate, ca }: X509Certificate): string {
  const hours = Math.round((validToDate.getTime() - validFromDate.getTime()) / 3_600_000);
  return `as ${ca ? 'a CA' : 'no CA'}, for ${hours} hours`;
}
