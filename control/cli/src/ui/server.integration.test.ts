import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ActionContext } from '@kopsctl/actions/phases/action.ts';
import { afterEach, expect, test } from 'vitest';
import { serveUi, type RunningUi } from './server.ts';

const CONTEXT: ActionContext = { env: {}, signal: new AbortController().signal, onEvent: () => {} };

let ui: RunningUi | undefined;
afterEach(async () => {
  await ui?.close();
  ui = undefined;
});

async function started(context: ActionContext): Promise<RunningUi> {
  ui = await serveUi(context, 0);
  return ui;
}

/** The first line of the answer to a request whose target no client would send. */
async function answerTo(target: string, { url }: RunningUi): Promise<string> {
  const { port, host } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.end(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  return (await text(socket)).split('\r\n')[0] ?? '';
}

/** What the browser that opens the printed address gets from then on. */
async function session({ url }: RunningUi): Promise<{ readonly page: URL; readonly cookie: string }> {
  const begun = await fetch(url, { redirect: 'manual' });
  const [cookie = ''] = (begun.headers.get('set-cookie') ?? '').split(';');
  return { page: new URL(begun.headers.get('location') ?? '', url), cookie };
}

test('requests that cannot be read are refused, and the pages are served after them', async () => {
  const running = await started(CONTEXT);
  expect(await answerTo('//', running)).toBe('HTTP/1.1 401 Unauthorized');
  expect(await answerTo('http://[', running)).toBe('HTTP/1.1 400 Bad Request');
  const { page, cookie } = await session(running);
  expect((await fetch(page, { headers: { cookie } })).status).toBe(200);
});

test('a page that cannot be made is an answer, and the others are served after it', async () => {
  let fails = true;
  const running = await started({
    ...CONTEXT,
    get env(): NodeJS.ProcessEnv {
      if (fails) throw new Error('the environment is gone');
      return {};
    },
  });
  const { page, cookie } = await session(running);
  const failed = await fetch(page, { headers: { cookie } });
  expect([failed.status, await failed.text()]).toEqual([500, 'the environment is gone\n']);
  fails = false;
  expect((await fetch(page, { headers: { cookie } })).status).toBe(200);
});
