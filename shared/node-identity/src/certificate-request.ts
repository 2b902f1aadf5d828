import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { importSigningKey } from '@kopsctl/pki/key-pair.ts';
import { loadX509 } from '@kopsctl/pki/x509.ts';
import { BIT_STRING, element, elementsIn, SEQUENCE } from './der.ts';
import { type KubeletSubject, NODES_GROUP, nodeUser, requestInfo } from './request-info.ts';

export { type KubeletSubject, NODES_GROUP, nodeUser } from './request-info.ts';

/** A PKCS#10 request, in PEM, signed with the key that the certificate will be for. */
export async function certificateRequest(subject: KubeletSubject, privateKeyPem: string): Promise<string> {
  const x509 = await loadX509();
  const { key: privateKey, algorithm } = await importSigningKey(privateKeyPem, `the kubelet of ${subject.nodeName}`);
  const publicKey = await crypto.subtle.importKey(
    'spki',
    createPublicKey(privateKeyPem).export({ type: 'spki', format: 'der' }),
    { name: 'ECDSA', namedCurve: 'P-256' },
    true,
    ['verify'],
  );
  const names = [
    ...subject.dnsNames.map((value) => ({ type: 'dns', value }) as const),
    ...subject.ipAddresses.map((value) => ({ type: 'ip', value }) as const),
  ];
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: new x509.Name([{ O: [{ utf8String: NODES_GROUP }] }, { CN: [{ utf8String: nodeUser(subject.nodeName) }] }]),
    keys: { privateKey, publicKey },
    signingAlgorithm: algorithm,
    extensions: names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(names)],
  });
  return `${request.toString('pem').trimEnd()}\n`;
}

export type CheckedRequest =
  /** PEM, assembled here. */
  { readonly request: string } | { readonly whyNot: string };

/**
 * The request that this machine may make: its name and group and no other, these alternative names and no other, for a
 * key of P-256 that the sender has. It is assembled here: only the public key and the signature come from the network.
 * So nothing that one parser reads and another overlooks reaches a signer.
 *
 * An authority does this twice for each machine that joins, so no library reads and writes the request: that took a fifth
 * of all its processor time.
 *
 * @param pem as it came from the network
 */
export async function checkedRequest(pem: string, wanted: KubeletSubject): Promise<CheckedRequest> {
  const sent = partsOf(pem);
  if (sent === undefined) return { whyNot: 'it is not a certificate request in PEM' };
  const { key, signature } = sent;
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') return { whyNot: 'its key is not ECDSA on P-256' };
  // Encoded again: a key has one form, whatever the sender's was.
  const info = requestInfo(wanted, key.export({ type: 'spki', format: 'der' }));
  if (!verify('sha256', info, key, signature)) {
    return { whyNot: `its signature is not for what it may request, but for ${await describe(pem)}`.trimEnd() };
  }
  return { request: pemOf(element(SEQUENCE, info, ECDSA_WITH_SHA256, signedBy(signature))) };
}

/** AlgorithmIdentifier ecdsa-with-SHA256 (RFC 5758 §3.2). */
const ECDSA_WITH_SHA256 = Buffer.from('300a06082a8648ce3d040302', 'hex');
const signedBy = (signature: Buffer): Buffer => element(BIT_STRING, Buffer.of(0), signature);

/** One block and nothing around it: what a signer would read differently is not even looked at. */
const PEM = /^-----BEGIN CERTIFICATE REQUEST-----\n((?:[A-Za-z0-9+/=]+\n)+)-----END CERTIFICATE REQUEST-----\n?$/;

/** The key and the signature of CertificationRequest in DER (RFC 2986 §4.2). */
function partsOf(pem: string): { readonly key: KeyObject; readonly signature: Buffer } | undefined {
  const [, base64 = ''] = PEM.exec(pem) ?? [];
  const [request, ...others] = elementsIn(Buffer.from(base64, 'base64')) ?? [];
  if (request?.tag !== SEQUENCE || others.length > 0) return undefined;
  const [info, , signed] = elementsIn(request.content) ?? [];
  if (info?.tag !== SEQUENCE || signed?.tag !== BIT_STRING) return undefined;
  const [, , publicKey] = elementsIn(info.content) ?? [];
  if (publicKey?.tag !== SEQUENCE) return undefined;
  try {
    const key = createPublicKey({ key: publicKey.whole, format: 'der', type: 'spki' });
    // The first byte says how many bits of the last one are unused; in a signature, none are.
    return { key, signature: signed.content.subarray(1) };
  } catch {
    return undefined;
  }
}

/** What a sender asked for that it may not have, for the log. */
async function describe(pem: string): Promise<string> {
  const x509 = await loadX509();
  try {
    const { subject, extensions } = new x509.Pkcs10CertificateRequest(pem);
    return `${subject} ${extensions.map((one) => one.toString('text')).join(' ')}`;
  } catch {
    return 'something that cannot be parsed';
  }
}

const pemOf = (der: Buffer): string =>
  [
    '-----BEGIN CERTIFICATE REQUEST-----',
    der.toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd(),
    '-----END CERTIFICATE REQUEST-----',
  ].join('\n');
