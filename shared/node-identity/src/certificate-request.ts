import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { createKeyPair, importSigningKey } from '@kopsctl/pki/key-pair.ts';
import { loadX509 } from '@kopsctl/pki/x509.ts';

/** What kubelet's certificates state. Kubernetes' signers insist on this form of name and group. */
export interface KubeletSubject {
  readonly nodeName: string;
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
}

export const NODES_GROUP = 'system:nodes';
export const nodeUser = (nodeName: string): string => `system:node:${nodeName}`;

/** A PKCS#10 request, in PEM, signed with the key that the certificate will be for. */
export async function certificateRequest(subject: KubeletSubject, privateKeyPem: string): Promise<string> {
  return requestFor(subject, createPublicKey(privateKeyPem), privateKeyPem);
}

/** @param signingKeyPem the private half of the key, or any other if only what is signed is of interest */
async function requestFor(subject: KubeletSubject, key: KeyObject, signingKeyPem: string): Promise<string> {
  const x509 = await loadX509();
  const { key: privateKey, algorithm } = await importSigningKey(signingKeyPem, `the kubelet of ${subject.nodeName}`);
  const publicKey = await crypto.subtle.importKey(
    'spki',
    key.export({ type: 'spki', format: 'der' }),
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
  /** PEM, put together here. */
  { readonly request: string } | { readonly whyNot: string };

/**
 * The request that this machine may make: its name and group and no other, these alternative names and no other, for a
 * key of P-256 that the sender has. It is put together here: from the network come the public key and the signature
 * alone. So nothing that one parser reads, and another overlooks, comes to a signer.
 *
 * @param pem as it came from the network
 */
export async function checkedRequest(pem: string, wanted: KubeletSubject): Promise<CheckedRequest> {
  const x509 = await loadX509();
  let sent: InstanceType<typeof x509.Pkcs10CertificateRequest>;
  let key: KeyObject;
  try {
    sent = new x509.Pkcs10CertificateRequest(pem);
    key = createPublicKey({ key: Buffer.from(sent.publicKey.rawData), format: 'der', type: 'spki' });
  } catch {
    return { whyNot: 'it is no certificate request in PEM' };
  }
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') return { whyNot: 'its key is not ECDSA on P-256' };
  const info = infoOf(new x509.Pkcs10CertificateRequest(await requestFor(wanted, key, await unrelatedKey())));
  const signature = Buffer.from(sent.signature);
  if (!verify('sha256', info, key, signature)) {
    const names = sent.extensions.map((one) => one.toString('text')).join(' ');
    return { whyNot: `its signature is not for what it may ask, but for ${sent.subject} ${names}`.trimEnd() };
  }
  return { request: x509.PemConverter.encode(requestOf(info, signature), x509.PemConverter.CertificateRequestTag) };
}

/** AlgorithmIdentifier ecdsa-with-SHA256 (RFC 5758 §3.2). */
const ECDSA_WITH_SHA256 = Buffer.from('300a06082a8648ce3d040302', 'hex');
const SEQUENCE = 0x30;
const BIT_STRING = 0x03;

/** CertificationRequest in DER (RFC 2986 §4.2): what is asked, and the signature. */
const requestOf = (info: Buffer, signature: Buffer): Buffer =>
  element(SEQUENCE, Buffer.concat([info, signed(signature)]));

const signed = (signature: Buffer): Buffer =>
  Buffer.concat([ECDSA_WITH_SHA256, element(BIT_STRING, Buffer.concat([Buffer.of(0), signature]))]);

/** What is asked in a request that was made here. */
function infoOf({ rawData, signature }: { readonly rawData: ArrayBuffer; readonly signature: ArrayBuffer }): Buffer {
  const der = Buffer.from(rawData);
  const size = der.readUInt8(1);
  const header = size < 0x80 ? 2 : 2 + (size & 0x7f);
  return der.subarray(header, der.length - signed(Buffer.from(signature)).length);
}

/** An element in DER; a request is never as large as 64 KiB. */
function element(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

let unrelated: Promise<string> | undefined;

/** What a request looks like does not depend on the key that signs it. */
async function unrelatedKey(): Promise<string> {
  unrelated ??= createKeyPair().then(({ privateKeyPem }) => privateKeyPem);
  return unrelated;
}
