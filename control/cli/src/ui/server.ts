import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ActionContext } from '@kopsctl/actions/phases/action.ts';
import { bootMemory } from '@kopsctl/actions/timeline/boot-memory.ts';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { openAdmission } from './admission.ts';
import { clustersContent, CONTENTS, type PageMemory } from './contents.ts';
import { explanationMemory } from './explanations.ts';
import { html, type Html } from './html.ts';
import { isLive, PARTS, type Part, policyOf, renderPage } from './page.ts';

/** The state store and clouds have no events to wait for. */
const LOOK_EVERY_MS = 2000;
/** A cloud that takes long to answer is asked less often: looking takes no more than this share of the time. */
const LOOKING_SHARE = 1 / 4;

const PLAIN = { 'content-type': 'text/plain; charset=utf-8' };

export interface RunningUi {
  /** Opens the pages once. */
  readonly url: string;
  close(): Promise<void>;
}

/** What pages are made of. */
interface Served {
  readonly context: ActionContext;
  readonly memory: PageMemory;
}

/** Serves the pages on this computer alone. @throws ActionableError if the port is taken */
export async function serveUi(context: ActionContext, port: number): Promise<RunningUi> {
  const server = createServer();
  await listening(server, port);
  // A server that listens on TCP has such an address.
  const address = server.address() as AddressInfo;
  const admission = openAdmission(address.port);
  const ending = new AbortController();
  // Every open page looks every two seconds: what has not changed is read once for all of them.
  const memory = { boots: bootMemory(), explanations: explanationMemory(() => performance.now()) };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const admitted = admission.admit({
      method: request.method ?? '',
      host: request.headers.host,
      // Node has one for every request.
      target: request.url ?? '',
      cookie: request.headers.cookie,
    });
    switch (admitted.kind) {
      case 'refused':
        send(response, admitted.status, `${admitted.why}\n`, PLAIN);
        return;
      case 'begins':
        send(response, 303, '', { location: admitted.location, 'set-cookie': admitted.cookie });
        return;
      case 'admitted':
        answer({ context, memory }, admitted.url, response, ending.signal).catch((error: unknown) =>
          sayFailed(response, error),
        );
    }
  });
  return {
    url: `http://127.0.0.1:${address.port}${admission.begin}`,
    async close() {
      ending.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function listening(server: Server, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(port, '127.0.0.1', resolve);
  try {
    await promise;
  } catch (cause) {
    throw new ActionableError({
      what: `serve pages at 127.0.0.1:${port}`,
      why: messageOf(cause),
      next: 'choose another port with --port, or 0 for any that is free',
      cause,
    });
  }
}

async function answer(
  { context, memory }: Served,
  url: URL,
  response: ServerResponse,
  ending: AbortSignal,
): Promise<void> {
  const place = placeOf(url.pathname);
  if (place === undefined && url.pathname !== '/') {
    send(response, 404, 'there is no such page\n', PLAIN);
    return;
  }
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  // What is written to a browser that has just gone fails; that concerns this one answer.
  response.on('error', () => gone.abort());
  const signal = AbortSignal.any([ending, gone.signal]);
  const look = () =>
    contentOf(
      { context: { ...context, signal, ...(place !== undefined && { name: place.cluster }) }, memory },
      place?.part,
    );
  if (place !== undefined && isLive(place.part) && url.searchParams.has('live')) {
    await sendChanges(response, look, signal);
    return;
  }
  const title = place === undefined ? 'Clusters' : place.cluster;
  const nonce = randomBytes(16).toString('base64');
  const page = renderPage({ title, content: await look(), ...(place !== undefined && { place }) }, nonce);
  send(response, 200, page, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policyOf(nonce) });
}

/** Undefined for a path that is not a page of a cluster. */
function placeOf(path: string): { readonly cluster: string; readonly part: Part } | undefined {
  const [, cluster, word] = /^\/clusters\/([^/]+)\/([a-z]+)$/.exec(path) ?? [];
  const part = PARTS.find((one) => one === word);
  return cluster === undefined || part === undefined ? undefined : { cluster: decoded(cluster), part };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // No name of a cluster has a percent sign.
    return text;
  }
}

/** What a page shows; what went wrong is shown in its place. */
async function contentOf({ context, memory }: Served, part: Part | undefined): Promise<Html> {
  try {
    return await (part === undefined ? clustersContent(context) : CONTENTS[part](context, memory));
  } catch (error) {
    const next = error instanceof ActionableError ? html`<p>Next: ${error.next}</p>` : undefined;
    return html`<p class="bad">${messageOf(error)}</p>
      ${next}`;
  }
}

/** Server-sent events: the content whenever it has changed, until the browser goes. */
async function sendChanges(response: ServerResponse, look: () => Promise<Html>, signal: AbortSignal): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  let shown: string | undefined;
  while (!signal.aborted) {
    const startedMs = performance.now();
    const { markup } = await look();
    const tookMs = performance.now() - startedMs;
    if (markup !== shown && !signal.aborted) response.write(`data: ${JSON.stringify(markup)}\n\n`);
    shown = markup;
    await sleep(Math.max(LOOK_EVERY_MS, tookMs / LOOKING_SHARE - tookMs), undefined, { signal }).catch(() => undefined);
  }
  response.end();
}

/** An answer that cannot be made is told to the browser that asked for it: the others go on. */
function sayFailed(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy();
  else send(response, 500, `${messageOf(error)}\n`, PLAIN);
}

function send(response: ServerResponse, status: number, body: string, headers: Readonly<Record<string, string>>): void {
  response.writeHead(status, {
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(body);
}
