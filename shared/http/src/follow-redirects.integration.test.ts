import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { streamFollowing } from './follow-redirects.ts';
import { type Http, openHttp, type StreamedAnswer } from './http.ts';
import { readWhole } from './read-whole.ts';

const toEnd: (() => void)[] = [];
afterEach(() => {
  for (const end of toEnd.splice(0)) end();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  toEnd.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

function client(): Http {
  const http = openHttp({ keepAlive: false });
  toEnd.push(() => http.close());
  return http;
}

const get = (http: Pick<Http, 'stream'>, url: string) =>
  streamFollowing(http, { method: 'GET', url, withinMs: 10_000, headers: { range: 'bytes=3-' } }, undefined);

test('a redirect is followed with the same headers, also one without a host', async () => {
  const url = await serve(({ url: path, headers }, response) => {
    if (path === '/a') response.writeHead(302, { location: '/b' }).end('moved');
    else if (path === '/b') response.writeHead(308, { location: `${url}/c` }).end();
    else response.end(`${path} ${headers.range}`);
  });
  const { status, body } = await get(client(), `${url}/a`);
  expect([status, (await readWhole(body, 100)).toString()]).toEqual([200, '/c bytes=3-']);
});

test('an answer that is not a redirect is given as it is', async () => {
  const url = await serve((_, response) => response.writeHead(404).end());
  expect((await get(client(), url)).status).toBe(404);
});

test('a circle of redirects ends', async () => {
  let asked = 0;
  const url = await serve((_, response) => response.writeHead(301, { location: `/${(asked += 1)}` }).end());
  await expect(get(client(), url)).rejects.toThrow('it redirects more than 5 times');
  expect(asked).toBe(6);
});

test('a redirect from https to http is refused before anything is asked there', async () => {
  const asked: string[] = [];
  const http = {
    stream: async ({ url }: { url: string | URL }): Promise<StreamedAnswer> => {
      asked.push(String(url));
      const { body } = await client().stream(
        { method: 'GET', url: await serve((_, r) => r.end()), withinMs: 9000 },
        undefined,
      );
      return { status: 302, headers: { location: 'http://evil.test/' }, body };
    },
  };
  await expect(get(http, 'https://good.test/file')).rejects.toThrow('it redirects to http://evil.test/');
  expect(asked).toEqual(['https://good.test/file']);
});
