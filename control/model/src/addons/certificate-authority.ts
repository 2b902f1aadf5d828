import type { AddonObject } from './addon-object.ts';

const CERT_MANAGER = 'cert-manager.io/v1';
const inKubeSystem = (name: string) => ({ name, namespace: 'kube-system' });

/** Certificates are valid for 90 days and renewed 15 days before they expire, as in kops. */
const LIFETIME = { duration: '2160h', renewBefore: '360h' };
const TEN_YEARS = '87600h';

/** A CA for the certificates of one addon. cert-manager creates it, and its key never leaves the cluster. */
export function certificateAuthority(name: string): readonly AddonObject[] {
  const root = `${name}-root`;
  return [
    { apiVersion: CERT_MANAGER, kind: 'Issuer', metadata: inKubeSystem(root), spec: { selfSigned: {} } },
    {
      apiVersion: CERT_MANAGER,
      kind: 'Certificate',
      metadata: inKubeSystem(root),
      spec: {
        isCA: true,
        commonName: name,
        duration: TEN_YEARS,
        issuerRef: { kind: 'Issuer', name: root },
        privateKey: { algorithm: 'ECDSA', size: 256 },
        secretName: root,
      },
    },
    { apiVersion: CERT_MANAGER, kind: 'Issuer', metadata: inKubeSystem(name), spec: { ca: { secretName: root } } },
  ];
}

export interface WantedCertificate {
  readonly name: string;
  readonly issuer: string;
  readonly secretName: string;
  readonly dnsNames: readonly string[];
  readonly usages?: readonly string[];
}

export const certificate = ({ name, issuer, secretName, dnsNames, usages }: WantedCertificate): AddonObject => ({
  apiVersion: CERT_MANAGER,
  kind: 'Certificate',
  metadata: inKubeSystem(name),
  spec: {
    ...LIFETIME,
    dnsNames,
    issuerRef: { kind: 'Issuer', name: issuer },
    secretName,
    ...(usages === undefined ? {} : { usages }),
  },
});
