import { serve, type TestServer } from './serve-test-server.ts';

/** What the metadata server of one machine says, by paths below `/computeMetadata/v1/`. */
export type GceMetadata = Readonly<Record<string, string>>;

export interface GceMachine {
  readonly project: string;
  readonly zone: string;
  readonly name: string;
  readonly address: string;
  /** What the tokens of its service account are called: a server knows by it what the machine may do. */
  readonly token: string;
}

/** The paths as a machine of GCE has them (cloud.google.com/compute/docs/metadata/predefined-metadata-keys). */
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

/**
 * A metadata server as GCE's is: nothing for who does not say that it means Google, the same header in each answer, and
 * a first question that it is too busy for.
 */
export async function serveGceMetadata(metadata: GceMetadata): Promise<TestServer> {
  let isBusy = true;
  return serve((asked, answer) => {
    answer.setHeader('Metadata-Flavor', 'Google');
    if (asked.headers['metadata-flavor'] !== 'Google') return answer.writeHead(403).end();
    if (isBusy) {
      isBusy = false;
      return answer.writeHead(503).end();
    }
    // Google's own libraries name scopes behind a question mark; a machine's tokens have those of the machine.
    const [path = ''] = (asked.url ?? '').replace('/computeMetadata/v1/', '').split('?');
    const inside = Object.keys(metadata).filter((name) => name.startsWith(`${path.replace(/\/$/, '')}/`));
    const text = metadata[path] ?? (inside.length > 0 ? inside.join('\n') : undefined);
    return answer.writeHead(text === undefined ? 404 : 200).end(text);
  });
}
