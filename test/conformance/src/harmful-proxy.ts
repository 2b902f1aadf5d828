import { once } from 'node:events';
import { createServer, request, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';

/** What happens to one request on its way. */
export type Harm =
  | 'none'
  /** The server never sees it: another answer comes, which asks to try again. */
  | 'refused'
  /** The connection breaks in the middle of the request. */
  | 'cut request'
  /** The server has done it, and the connection breaks before the answer. */
  | 'lost answer'
  /** The connection breaks in the middle of the answer. */
  | 'cut answer'
  /** The server has done it, and an answer comes that says it has failed. */
  | 'failed afterwards'
  /** The server gets it twice, and its second answer comes. */
  | 'repeated'
  /** No answer comes, and the connection stays. */
  | 'silent';

export const HARMS: readonly Harm[] = [
  'refused',
  'cut request',
  'lost answer',
  'cut answer',
  'failed afterwards',
  'repeated',
  'silent',
];

export interface HarmfulProxy {
  readonly endpoint: string;
  /** Decides what happens to each request from now on. */
  harm(choose: (method: string, path: string) => Harm): void;
  /** How many requests have met each harm. */
  readonly met: ReadonlyMap<Harm, number>;
  stop(): Promise<void>;
}

/** How the service says that it is overloaded: 503, in its own form. */
export interface Overloaded {
  readonly contentType: string;
  readonly body: string;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A proxy before a real server of objects: faults of the network happen below the client, so its own retries meet them. */
export async function startHarmfulProxy(target: string, overloaded: Overloaded): Promise<HarmfulProxy> {
  let choose: (method: string, path: string) => Harm = () => 'none';
  const met = new Map<Harm, number>();

  const forward = async (incoming: IncomingMessage, body: Buffer): Promise<Answer> => {
    const sent = request(`${target}${incoming.url}`, { method: incoming.method ?? 'GET', headers: incoming.headers });
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: await collect(answer) };
  };
  /** The server sees the beginning of the request and the end of its connection. */
  const forwardHalf = async (incoming: IncomingMessage, body: Buffer): Promise<void> => {
    const sent = request(`${target}${incoming.url}`, { method: incoming.method ?? 'GET', headers: incoming.headers });
    sent.on('error', () => undefined);
    sent.write(body.subarray(0, body.byteLength / 2), () => sent.destroy());
    await once(sent, 'close');
  };
  const overload = (outgoing: ServerResponse): void =>
    void outgoing.writeHead(503, { 'content-type': overloaded.contentType }).end(overloaded.body);
  const give = (outgoing: ServerResponse, { status, headers, body }: Answer): void =>
    void outgoing.writeHead(status, headers).end(body);

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const harm = choose(incoming.method ?? 'GET', incoming.url ?? '/');
    met.set(harm, (met.get(harm) ?? 0) + 1);
    const body = await collect(incoming);
    switch (harm) {
      case 'none':
        return give(outgoing, await forward(incoming, body));
      case 'refused':
        return overload(outgoing);
      case 'cut request':
        if (body.byteLength > 1) await forwardHalf(incoming, body);
        return void outgoing.destroy();
      case 'lost answer':
        await forward(incoming, body);
        return void outgoing.destroy();
      case 'cut answer': {
        const whole = await forward(incoming, body);
        const { 'transfer-encoding': _, ...headers } = whole.headers;
        outgoing.writeHead(whole.status, { ...headers, 'content-length': whole.body.byteLength });
        outgoing.write(whole.body.subarray(0, whole.body.byteLength / 2), () => outgoing.destroy());
        return;
      }
      case 'failed afterwards':
        await forward(incoming, body);
        return overload(outgoing);
      case 'repeated':
        await forward(incoming, body);
        return give(outgoing, await forward(incoming, body));
      case 'silent':
        return;
    }
  };

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    harm: (next) => (choose = next),
    met,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function collect(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
