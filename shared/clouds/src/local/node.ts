import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { NodeCloud, Observed } from '../node-cloud.ts';
import {
  parseDevice,
  parseInstance,
  parseMachine,
  parseObserved,
  parseRefusal,
  parseVolume,
} from './metadata-answers.ts';

const METADATA_URL = 'http://169.254.169.254';

/** The metadata service dies only together with its machines, so few tries tell a hiccup from an end. */
const TRIES = 8;
const RETRY_MS = 500;
/** A cluster of a thousand machines fills a fraction of it. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** A local machine's view of its cloud: the metadata service of its supervisor. */
export function createLocalNodeCloud(baseUrl: string = METADATA_URL): NodeCloud {
  const ask = async <T>(
    what: string,
    { method = 'GET', path }: { readonly method?: string; readonly path: string },
    parse: (answer: unknown) => T,
    signal: AbortSignal,
  ): Promise<T> => {
    const { status, body } = await reach(what, method, `${baseUrl}${path}`, signal);
    const answer: unknown = JSON.parse(body);
    if (status === 200) return parse(answer);
    throw new ActionableError({
      what,
      why: parseRefusal(answer),
      next: 'run the command again; on the host, `kopsctl get instances` shows what this machine may do',
    });
  };

  const watch = async <T>(
    kind: string,
    parseItem: (item: unknown) => T,
    after: string | undefined,
    signal: AbortSignal,
  ): Promise<Observed<T>> => {
    const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`;
    const parse = (answer: unknown) => parseObserved(answer, parseItem);
    for (;;) {
      const observed = await ask(`list the ${kind} of this cluster`, { path: `/v1/${kind}${query}` }, parse, signal);
      // The service answers a wait after a minute even when nothing is new.
      if (observed.revision !== after) return observed;
    }
  };

  return {
    facts: (signal) => ask('learn what this machine is', { path: '/v1/instance' }, parseInstance, signal),
    machines: (after, signal) => watch('machines', parseMachine, after, signal),
    volumes: (after, signal) => watch('volumes', parseVolume, after, signal),
    attachVolume: (id, signal) =>
      ask(
        `attach the volume ${id}`,
        { method: 'POST', path: `/v1/volumes/${encodeURIComponent(id)}/attach` },
        parseDevice,
        signal,
      ),
    detachVolume: (id, signal) =>
      ask(
        `detach the volume ${id}`,
        { method: 'POST', path: `/v1/volumes/${encodeURIComponent(id)}/detach` },
        () => undefined,
        signal,
      ),
  };
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Connections that break are made again; a repeated attach changes nothing. */
async function reach(what: string, method: string, url: string, signal: AbortSignal): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await exchange(method, url, signal);
    } catch (cause) {
      signal.throwIfAborted();
      if (attempt === TRIES) {
        throw new ActionableError({
          what,
          why: `the metadata service at ${url} cannot be reached: ${messageOf(cause)}`,
          next: 'look at the network of this machine (`ip address`, `ip route`), and on the host at supervisor.log',
          cause,
        });
      }
      await sleep(RETRY_MS * attempt, undefined, { signal });
    }
  }
}

/** node:http and not fetch, which brings a second HTTP client of 17 MB into each agent. */
async function exchange(method: string, url: string, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, signal, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.byteLength;
        if (size > MAX_ANSWER_BYTES) response.destroy(new Error(`the answer is larger than ${MAX_ANSWER_BYTES} bytes`));
        else chunks.push(chunk);
      });
      response.once('error', reject);
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    sent.once('error', reject);
    sent.end();
  });
}
