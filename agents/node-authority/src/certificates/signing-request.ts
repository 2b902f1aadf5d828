import { createHash } from 'node:crypto';
import { AUTHORITY_USER } from '@kopsctl/node-identity/addresses.ts';
import { asArray, asRecord, asString } from '@kopsctl/kube/json.ts';
import { CLIENT_LIFE_SECONDS } from '@kopsctl/node-identity/revocation.ts';

/** Kubernetes' signers of what kubelets prove themselves with. */
export const SIGNERS = {
  client: 'kubernetes.io/kube-apiserver-client-kubelet',
  serving: 'kubernetes.io/kubelet-serving',
} as const;

export type Purpose = keyof typeof SIGNERS;

export const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

/** kubelet's certificates are renewed when two thirds of their life are over. */
const LIFE_SECONDS: Readonly<Record<Purpose, number>> = {
  client: CLIENT_LIFE_SECONDS,
  serving: 30 * 24 * 3600,
};

export interface WantedCertificate {
  readonly purpose: Purpose;
  readonly node: string;
  /** PKCS#10, PEM, as `checkedRequest` put it together. */
  readonly request: string;
}

/** A CertificateSigningRequest, as far as an authority is concerned with it. */
export interface SigningRequest {
  readonly name: string;
  readonly user: string;
  readonly signer: string;
  /** Base64 of PEM, as in the object. */
  readonly request: string;
  readonly decision: 'none' | 'approved' | 'refused';
  /** Why it was refused. */
  readonly reason: string;
  /** PEM, once it is signed. */
  readonly certificate: string | undefined;
  readonly object: Readonly<Record<string, unknown>>;
}

export function parseSigningRequest(value: unknown): SigningRequest {
  const object = asRecord(value);
  const spec = asRecord(object['spec']);
  const status = asRecord(object['status']);
  const conditions = asArray(status['conditions']).map(asRecord);
  const refused = conditions.find(({ type }) => type === 'Denied' || type === 'Failed');
  const isApproved = conditions.some(({ type }) => type === 'Approved');
  const certificate = asString(status['certificate']);
  return {
    name: asString(asRecord(object['metadata'])['name']) ?? '',
    user: asString(spec['username']) ?? '',
    signer: asString(spec['signerName']) ?? '',
    request: asString(spec['request']) ?? '',
    decision: refused !== undefined ? 'refused' : isApproved ? 'approved' : 'none',
    reason: refused === undefined ? '' : `${asString(refused['reason'])}: ${asString(refused['message'])}`,
    certificate: certificate && Buffer.from(certificate, 'base64').toString('utf8'),
    object,
  };
}

/** A machine that asks again after a lost answer asks for the same: it gets the same certificate. */
export function requestName({ purpose, node, request }: WantedCertificate): string {
  const hash = createHash('sha256').update(request).digest('hex').slice(0, 16);
  return `kops-${purpose}-${node}-${hash}`;
}

export function requestObject(wanted: WantedCertificate): object {
  const { purpose, request } = wanted;
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: requestName(wanted) },
    spec: {
      request: Buffer.from(request).toString('base64'),
      signerName: SIGNERS[purpose],
      // Kubernetes before 1.22 drops the field: the life is then that of --cluster-signing-duration.
      expirationSeconds: LIFE_SECONDS[purpose],
      // Signers of Kubernetes before 1.27 insist on the second usage, which is of no use to an ECDSA key; later ones allow it.
      usages: ['digital signature', 'key encipherment', purpose === 'client' ? 'client auth' : 'server auth'],
    },
  };
}

/** Whether an object is what this authority asked for: nothing else is approved, whatever its name is. */
export const isFor = (found: SigningRequest, { purpose, request }: WantedCertificate): boolean =>
  found.user === AUTHORITY_USER &&
  found.signer === SIGNERS[purpose] &&
  found.request === Buffer.from(request).toString('base64');

/** The object with a decision, for its subresource `approval`. */
export function decided(
  { object }: SigningRequest,
  type: 'Approved' | 'Denied',
  reason: string,
  message: string,
): object {
  const status = asRecord(object['status']);
  return {
    ...object,
    status: {
      ...status,
      conditions: [...asArray(status['conditions']), { type, status: 'True', reason, message }],
    },
  };
}
