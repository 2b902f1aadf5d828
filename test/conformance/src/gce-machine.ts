import type { IncomingMessage, ServerResponse } from 'node:http';
import { serve, type TestServer } from './serve-test-server.ts';

/** The metadata of one machine, by path below `/computeMetadata/v1/`. */
export type GceMetadata = Readonly<Record<string, string>>;

export interface GceMachine {
  readonly project: string;
  readonly zone: string;
  readonly name: string;
  readonly address: string;
  /** The access token of its service account. A server derives the machine's permissions from it. */
  readonly token: string;
  /** The address of that account, in its signed identity; one of the project by default. */
  readonly email?: string;
}

/** The paths of a machine in GCE (cloud.google.com/compute/docs/metadata/predefined-metadata-keys). */
export const metadataOf = ({ project, zone, name, address, token }: GceMachine): GceMetadata => ({
  'project/project-id': project,
  'instance/id': '1234567890123456789',
  'instance/name': name,
  'instance/hostname': `${name}.${zone}.c.${project}.internal`,
  'instance/zone': `projects/123456789012/zones/${zone}`,
  'instance/network-interfaces/0/ip': address,
  'instance/service-accounts/default/token': JSON.stringify({
    access_token: token,
    expires_in: 3599,
    token_type: 'Bearer',
  }),
});

/** Answers what a machine asks for with a query; undefined where it has no such thing. */
export type AskedFor = (query: URLSearchParams) => string | undefined;

/**
 * A metadata server like GCE's: it requires the `Metadata-Flavor: Google` header, sends it in each answer, and rejects
 * the first request because it is busy.
 */
export async function serveGceMetadata(
  metadata: GceMetadata,
  asked: Readonly<Record<string, AskedFor>> = {},
): Promise<TestServer> {
  let isBusy = true;
  return serve((request, answer) => {
    if (isBusy && request.headers['metadata-flavor'] === 'Google') {
      isBusy = false;
      return answer.writeHead(503, { 'Metadata-Flavor': 'Google' }).end();
    }
    return answerMetadata(metadata, asked, request, answer);
  });
}

/** Answers one request of the machine that the metadata describes. */
export function answerMetadata(
  metadata: GceMetadata,
  asked: Readonly<Record<string, AskedFor>>,
  request: IncomingMessage,
  answer: ServerResponse,
): unknown {
  answer.setHeader('Metadata-Flavor', 'Google');
  if (request.headers['metadata-flavor'] !== 'Google') return answer.writeHead(403).end();
  // Google's libraries add scopes as a query; the tokens of a machine always have the scopes of the machine.
  const [path = '', query = ''] = (request.url ?? '').replace('/computeMetadata/v1/', '').split('?');
  const inside = Object.keys(metadata).filter((name) => name.startsWith(`${path.replace(/\/$/, '')}/`));
  const text =
    asked[path]?.(new URLSearchParams(query)) ?? metadata[path] ?? (inside.length > 0 ? inside.join('\n') : undefined);
  return answer.writeHead(text === undefined ? 404 : 200).end(text);
}
