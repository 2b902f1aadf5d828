import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { type Answer, type Http, openHttp, type TlsIdentity } from '@kopsctl/http/http.ts';
import * as z from 'zod';

/** Public keys in the form of RFC 7517. */
export type WebKeys = readonly unknown[];

/** The entry of a machine in a discovery service. */
export interface Endpoint {
  /** Where the universe of the cluster begins. */
  readonly service: string;
  readonly namespace: string;
  /** The common name of the machine's certificate. */
  readonly name: string;
}

const API_VERSION = 'discovery.kops.k8s.io/v1alpha1';
const LIMITS = { withinMs: 30_000, maxBytes: 1 << 20 };

const answered = z.object({
  spec: z
    .object({
      oidc: z
        .object({ keys: z.array(z.unknown()) })
        .partial()
        .optional(),
    })
    .optional(),
});

/** The keys that the service has for a machine; undefined if it does not know the machine. */
export async function readEndpoint(
  endpoint: Endpoint,
  tls: TlsIdentity,
  signal: AbortSignal,
): Promise<WebKeys | undefined> {
  const { status, body } = await ask(endpoint, tls, (http) => {
    const headers = { accept: 'application/json' };
    return http.ask({ method: 'GET', url: addressOf(endpoint), headers, ...LIMITS }, signal);
  });
  if (status === 404) return undefined;
  if (status !== 200) throw refusal(endpoint, status, body);
  return answered.parse(JSON.parse(body)).spec?.oidc?.keys ?? [];
}

/** Registers a machine, as server-side apply does (kops upup/pkg/fi/nodeup/nodetasks). */
export async function writeEndpoint(
  endpoint: Endpoint,
  keys: WebKeys,
  tls: TlsIdentity,
  signal: AbortSignal,
): Promise<void> {
  const { namespace, name } = endpoint;
  const object = {
    apiVersion: API_VERSION,
    kind: 'DiscoveryEndpoint',
    metadata: { name, namespace },
    spec: { oidc: { keys } },
  };
  const { status, body } = await ask(endpoint, tls, (http) => {
    const url = `${addressOf(endpoint)}?fieldManager=nodeup-register&force=false`;
    const headers = { accept: 'application/json', 'content-type': 'application/apply-patch+yaml' };
    return http.ask({ method: 'PATCH', url, headers, body: JSON.stringify(object), ...LIMITS }, signal);
  });
  if (status < 200 || status > 299) throw refusal(endpoint, status, body);
}

const addressOf = ({ service, namespace, name }: Endpoint): string =>
  `${service}/apis/${API_VERSION}/namespaces/${namespace}/discoveryendpoints/${name}`;

async function ask(
  { service }: Endpoint,
  tls: TlsIdentity,
  question: (http: Http) => Promise<Answer>,
): Promise<Answer> {
  const http = openHttp({ keepAlive: false, tls });
  try {
    return await question(http);
  } catch (cause) {
    throw new ActionableError({
      what: `publish the keys of service accounts at ${service}`,
      why: messageOf(cause),
      next: 'check that this machine reaches it, and that its certificate is one that everybody trusts',
      cause,
    });
  } finally {
    http.close();
  }
}

const refusal = ({ service }: Endpoint, status: number, body: string): ActionableError =>
  new ActionableError({
    what: `publish the keys of service accounts at ${service}`,
    why: `it answered ${status}: ${body.trim()}`,
    next:
      status === 401
        ? 'let spec.serviceAccountIssuerDiscovery.discoveryService.url end with the id that the service has for the keyset discovery-ca'
        : 'ask whoever runs the service',
  });
