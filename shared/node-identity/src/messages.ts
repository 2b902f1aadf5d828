import { FieldReader } from '@kopsctl/agent/field-reader.ts';
import { asRecord } from '@kopsctl/tasks/record.ts';

/** What a machine may send as one message, except for a boot report. */
export const MAX_MESSAGE_BYTES = 64 * 1024;
/** The report of a boot with a hundred tasks takes 60 KB. */
export const MAX_REPORT_BYTES = 512 * 1024;
/** The plan of a worker takes 150 KB; it may include files of the user. */
export const MAX_PLAN_BYTES = 8 * 1024 * 1024;

/** The requests of a session, in this order: `hello`, `attest`, then the others as often as there is something to say. */
export const PATHS = {
  hello: '/v1/hello',
  attest: '/v1/attest',
  plan: '/v1/plan',
  certificates: '/v1/certificates',
  report: '/v1/boot-report',
  goodbye: '/v1/goodbye',
} as const;

/** The answer to `hello`. */
export interface Hello {
  readonly nonce: Uint8Array;
}

/** What a machine proves its identity with. */
export interface Attestation {
  /** DER of SubjectPublicKeyInfo. */
  readonly machineKey: Uint8Array;
  /** Of the challenge, by that key. */
  readonly signature: Uint8Array;
  /** Absent where the authority knows the key already. */
  readonly evidence?: unknown;
}

/** The node that the authority takes the machine for, and what only an attested machine learns. */
export interface Attested {
  readonly nodeName: string;
  /** What its serving certificate is for. */
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  /** The certificates of the cluster's CA, as one PEM text. */
  readonly clusterCa: string;
  /** Secrets of the state store that its plan names, as the store has them. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The certificates of keysets that its plan names, each as one PEM text. */
  readonly authorities: Readonly<Record<string, string>>;
}

/** A machine that has no right in the bucket asks for the plan that its user-data pins. */
export interface PlanWish {
  /** Hex SHA-256 of the plan's bytes. */
  readonly planHash: string;
}

/** kubelet's two certificates, or the requests for them, in PEM. */
export interface Certificates {
  readonly client: string;
  readonly serving: string;
}

/** When the machine wants to be called again, if nothing happens before. */
export interface Goodbye {
  readonly againSeconds: number;
}

const encoded = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

export const printHello = ({ nonce }: Hello): string => JSON.stringify({ nonce: encoded(nonce) });

export const parseHello = (text: string): Hello => parsed(text, (from) => ({ nonce: bytesAt(from, 'nonce') }));

export const printAttestation = ({ machineKey, signature, evidence }: Attestation): string =>
  JSON.stringify({ machineKey: encoded(machineKey), signature: encoded(signature), evidence });

export function parseAttestation(text: string): Attestation {
  const { evidence } = asRecord(JSON.parse(text));
  return parsed(text, (from) => ({
    machineKey: bytesAt(from, 'machineKey'),
    signature: bytesAt(from, 'signature'),
    ...(evidence !== undefined && { evidence }),
  }));
}

export const printAttested = (attested: Attested): string => JSON.stringify(attested);

export const parseAttested = (text: string): Attested =>
  parsed(text, (from) => ({
    nodeName: from.text('nodeName'),
    dnsNames: from.texts('dnsNames'),
    ipAddresses: from.texts('ipAddresses'),
    clusterCa: from.text('clusterCa'),
    secrets: from.record('secrets', (values, name) => values.text(name)),
    authorities: from.record('authorities', (values, name) => values.text(name)),
  }));

export const printPlanWish = (wish: PlanWish): string => JSON.stringify(wish);

export const parsePlanWish = (text: string): PlanWish =>
  parsed(text, (from) => {
    const planHash = from.text('planHash');
    if (!/^[0-9a-f]{64}$/.test(planHash)) from.faults.push('planHash');
    return { planHash };
  });

export const printCertificates = (certificates: Certificates): string => JSON.stringify(certificates);

export const parseCertificates = (text: string): Certificates =>
  parsed(text, (from) => ({ client: from.text('client'), serving: from.text('serving') }));

/** The answer while certificates are not signed yet: ask again for the same. */
export const NOT_YET = '{}';
/** The same where other machines wait: ask again at the next call. */
export const AT_NEXT_CALL = '{"atNextCall":true}';

export const printGoodbye = (goodbye: Goodbye): string => JSON.stringify(goodbye);

export const parseGoodbye = (text: string): Goodbye =>
  parsed(text, (from) => ({ againSeconds: from.number('againSeconds') }));

/** @throws with the paths of all fields that are missing or malformed */
export function parsed<T>(text: string, read: (from: FieldReader) => T): T {
  const from = new FieldReader(JSON.parse(text));
  const message = read(from);
  from.refuseFaults();
  return message;
}

function bytesAt(from: FieldReader, name: string): Buffer {
  const text = from.text(name);
  if (!/^[A-Za-z0-9_-]*$/.test(text)) from.faults.push(name);
  return Buffer.from(text, 'base64url');
}
