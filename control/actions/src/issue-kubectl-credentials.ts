import { issueAdminCredentials } from './access/admin-credentials.ts';
import type { ActionContext } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';

/** As long as kubectl keeps what it was given. */
const LIFETIME_MS = 60 * 60 * 1000;

/** An answer to kubectl, which asks a command for credentials (client.authentication.k8s.io). */
export interface ExecCredential {
  readonly apiVersion: string;
  readonly kind: 'ExecCredential';
  readonly status: {
    readonly clientCertificateData: string;
    readonly clientKeyData: string;
    readonly expirationTimestamp: string;
  };
}

/** Issues an administrator's certificate that is valid for an hour. */
export async function issueKubectlCredentials(
  context: ActionContext,
  { apiVersion }: { readonly apiVersion: 'v1' | 'v1beta1' },
): Promise<ExecCredential> {
  const { store, cluster } = await chooseCluster(context, undefined);
  const nowMs = Date.now();
  const { certificatePem, privateKeyPem } = await issueAdminCredentials(store, cluster, nowMs, LIFETIME_MS);
  return {
    apiVersion: `client.authentication.k8s.io/${apiVersion}`,
    kind: 'ExecCredential',
    status: {
      clientCertificateData: certificatePem,
      clientKeyData: privateKeyPem,
      expirationTimestamp: new Date(nowMs + LIFETIME_MS).toISOString(),
    },
  };
}
