import { execa } from 'execa';

export interface CertificateWish {
  /** As openssl writes it, e.g. `/O=system:nodes/CN=system:node:worker-a`. */
  readonly subject: string;
  /** Alternative names, e.g. `DNS:kubernetes`. */
  readonly names?: string;
  readonly isCa?: boolean;
}

/** A request for a certificate, PKCS#10 in PEM, with a key that is thrown away. */
export async function certificateRequest({ subject, names, isCa = false }: CertificateWish): Promise<string> {
  const extensions = [
    ...(names === undefined ? [] : ['-addext', `subjectAltName=${names}`]),
    ...(isCa ? ['-addext', 'basicConstraints=critical,CA:TRUE'] : []),
  ];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', '/dev/null'];
  return (await execa('openssl', ['req', '-new', ...key, '-subj', subject, ...extensions])).stdout;
}
