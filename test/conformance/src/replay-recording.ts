import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { MotoServer } from './moto.ts';
import { recordedFolder } from './recorded-cases.ts';

/** A request as moto recorded it. */
interface Recorded {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** In base64. */
  readonly body: string;
}

/** Where the recordings were made. */
const RECORDED_AT = '127.0.0.1:5555';
/** The ids that moto gives away follow from it, and from the order of requests. */
const SEED = 42;

/**
 * Makes the cloud and the state store of a cluster that kops made: sends again what kops sent. For a server that was just
 * started: what it was asked before changes the ids.
 */
export async function replayRecording({ endpoint }: MotoServer, cluster: string): Promise<void> {
  await fetch(`${endpoint}/moto-api/seed?a=${SEED}`, { method: 'POST' });
  const packed = await readFile(join(recordedFolder, 'adopt', `${cluster}.jsonl.gz`));
  const text = (await promisify(gunzip)(packed)).toString('utf8');
  const { host } = new URL(endpoint);
  const agent = new Agent({ keepAlive: true });
  for (const line of text.replaceAll(RECORDED_AT, host).split('\n')) {
    if (line === '') continue;
    const recorded: Recorded = JSON.parse(line);
    await send(recorded, host, agent);
  }
  agent.destroy();
}

/** Names of this server stand in bodies too, which are packed. */
const bodyOf = ({ body }: Recorded, host: string): Buffer => {
  const bytes = Buffer.from(body, 'base64');
  return Buffer.from(bytes.toString('latin1').replaceAll(RECORDED_AT, host), 'latin1');
};

async function send(recorded: Recorded, host: string, agent: Agent): Promise<void> {
  const { method, url, headers } = recorded;
  const body = bodyOf(recorded, host);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const sent = request(url, { method, agent, headers: { ...headers, 'Content-Length': body.length } }, (reply) => {
    reply.resume();
    reply.once('end', () => resolve(reply.statusCode ?? 0));
  });
  sent.once('error', reject);
  sent.end(body);
  const status = await promise;
  // kops asks for much that is not there yet: 400 and 404 are answers that it had too.
  if (status >= 500) throw new Error(`moto answers ${status} to ${method} ${url}, which it had recorded`);
}
