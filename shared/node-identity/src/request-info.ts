import { isIPv4 } from 'node:net';
import { element, OCTET_STRING, SEQUENCE, SET, UTF8_STRING } from './der.ts';

/** What kubelet's certificates state. Kubernetes' signers insist on this form of name and group. */
export interface KubeletSubject {
  readonly nodeName: string;
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
}

export const NODES_GROUP = 'system:nodes';
export const nodeUser = (nodeName: string): string => `system:node:${nodeName}`;

const VERSION = Buffer.from('020100', 'hex');
const ORGANIZATION = Buffer.from('060355040a', 'hex');
const COMMON_NAME = Buffer.from('0603550403', 'hex');
/** extensionRequest (PKCS #9). */
const EXTENSIONS = Buffer.from('06092a864886f70d01090e', 'hex');
const ALTERNATIVE_NAMES = Buffer.from('0603551d11', 'hex');
/** Context tags: attributes of a request, and dNSName and iPAddress in alternative names (RFC 5280 §4.2.1.6). */
const ATTRIBUTES = 0xa0;
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;

/**
 * CertificationRequestInfo in DER (RFC 2986 §4.1): what a machine may ask for, as its signature has to cover it.
 *
 * @param publicKey SubjectPublicKeyInfo in DER
 */
export function requestInfo({ nodeName, dnsNames, ipAddresses }: KubeletSubject, publicKey: Uint8Array): Buffer {
  const name = element(SEQUENCE, nameOf(ORGANIZATION, NODES_GROUP), nameOf(COMMON_NAME, nodeUser(nodeName)));
  const names = [
    ...dnsNames.map((value) => element(DNS_NAME, Buffer.from(value))),
    ...ipAddresses.map((value) => element(IP_ADDRESS, addressBytes(value))),
  ];
  const attributes = names.length === 0 ? [] : [alternativeNames(names)];
  return element(SEQUENCE, VERSION, name, publicKey, element(ATTRIBUTES, ...attributes));
}

const nameOf = (type: Buffer, text: string): Buffer =>
  element(SET, element(SEQUENCE, type, element(UTF8_STRING, Buffer.from(text))));

function alternativeNames(names: readonly Buffer[]): Buffer {
  const extension = element(SEQUENCE, ALTERNATIVE_NAMES, element(OCTET_STRING, element(SEQUENCE, ...names)));
  return element(SEQUENCE, EXTENSIONS, element(SET, element(SEQUENCE, extension)));
}

/** @param address as a cloud lists it */
function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  // In this form, the address has no IPv4 part left.
  const [front = '', back] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (text = ''): readonly string[] => (text === '' ? [] : text.split(':'));
  const [before, after] = [groups(front), groups(back)];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  const all = back === undefined ? before : [...before, ...zeros, ...after];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
