import { request, type ServerResponse } from 'node:http';
import { bodyOf, serve, type TestServer } from './serve-test-server.ts';

/** The metadata of one instance. */
export type Metadata = Readonly<Record<string, string>>;

/**
 * A metadata service like EC2's version 2: it requires a token that it issued, and rejects the first request because it
 * is busy. `forget` invalidates all tokens.
 */
export async function serveMetadata(metadata: Metadata): Promise<TestServer & { forget(): void }> {
  const tokens = new Set<string>();
  let given = 0;
  let isBusy = true;
  const server = await serve((asked, answer) => {
    if (isBusy) {
      isBusy = false;
      answer.writeHead(503).end();
    } else if (asked.method === 'PUT' && asked.url === '/latest/api/token') {
      if (asked.headers['x-aws-ec2-metadata-token-ttl-seconds'] === undefined) return void answer.writeHead(400).end();
      given += 1;
      tokens.add(`token-${given}`);
      answer.end(`token-${given}`);
    } else if (!tokens.has(String(asked.headers['x-aws-ec2-metadata-token']))) {
      answer.writeHead(401).end();
    } else {
      const text = metadata[(asked.url ?? '').replace('/latest/meta-data/', '')];
      answer.writeHead(text === undefined ? 404 : 200).end(text);
    }
  });
  return { ...server, forget: () => tokens.clear() };
}

/**
 * EC2 at another server, with two rules that are important between machines and missing there: an attached volume and a
 * device name in use are refused. Volumes are attached one after the other.
 */
export async function serveEc2(endpoint: string): Promise<TestServer & { loseNextAnswer(): void }> {
  const holders = new Map<string, string>();
  const devices = new Set<string>();
  let loses = false;
  const server = await serve(async (asked, answer) => {
    const body = await bodyOf(asked);
    const query = new URLSearchParams(body);
    if (query.get('Action') === 'AttachVolume') {
      const [volume, instance] = [query.get('VolumeId') ?? '', query.get('InstanceId') ?? ''];
      const device = `${instance} ${query.get('Device')}`;
      if (holders.has(volume)) return refuse(answer, 'VolumeInUse', `${volume} is already attached to an instance`);
      if (devices.has(device)) {
        return refuse(answer, 'InvalidParameterValue', `Attachment point ${query.get('Device')} is already in use`);
      }
      holders.set(volume, instance);
      devices.add(device);
    }
    const headers = { ...asked.headers, 'content-length': String(Buffer.byteLength(body)) };
    const forwarded = request(endpoint, { method: 'POST', path: '/', headers }, (reply) => {
      if (loses && query.get('Action') === 'AttachVolume') {
        loses = false;
        reply.resume().on('end', () => answer.destroy());
        return;
      }
      answer.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(answer);
    });
    forwarded.end(body);
  });
  return {
    ...server,
    loseNextAnswer: () => {
      loses = true;
    },
  };
}

function refuse(answer: ServerResponse, code: string, message: string): void {
  answer
    .writeHead(400)
    .end(
      `<Response><Errors><Error><Code>${code}</Code><Message>${message}</Message></Error></Errors><RequestID>1</RequestID></Response>`,
    );
}
