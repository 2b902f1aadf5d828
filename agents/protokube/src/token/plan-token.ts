import { parseSecret } from '@kopsctl/state-store/stored-secret.ts';

/** A Kubernetes bootstrap token: a public id of 6 characters, and a secret of 16. */
export interface BootstrapToken {
  readonly id: string;
  readonly secret: string;
}

/** Parses a secret of the state store; undefined when it holds no bootstrap token. */
export function parseStoredToken(stored: Uint8Array): BootstrapToken | undefined {
  const match = /^([a-z0-9]{6})\.([a-z0-9]{16})$/.exec(parseSecret(stored)?.toString('utf8').trim() ?? '');
  const [, id, secret] = match ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

/** The Secret that permits a worker to request its first certificate, and nothing else. */
export function tokenSecret({ id, secret }: BootstrapToken): { readonly path: string; readonly object: unknown } {
  const name = `bootstrap-token-${id}`;
  return {
    path: `/api/v1/namespaces/kube-system/secrets/${name}`,
    object: {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'bootstrap.kubernetes.io/token',
      metadata: { name, namespace: 'kube-system' },
      data: base64({
        description: 'Lets new nodes of this cluster ask for their certificates; kept by protokube',
        'token-id': id,
        'token-secret': secret,
        'usage-bootstrap-authentication': 'true',
        'auth-extra-groups': 'system:bootstrappers:kops',
      }),
    },
  };
}

function base64(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
}
