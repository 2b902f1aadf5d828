import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createLocalNodeCloud } from './local-node-cloud.ts';

async function cloudThatAnswers(status: number, body: string) {
  const server = createServer((_request, response) => response.writeHead(status).end(body)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return createLocalNodeCloud(`http://127.0.0.1:${address.port}`);
}

const signal = (): AbortSignal => AbortSignal.timeout(10_000);

test.each([
  [200, '<html>a proxy</html>'],
  [200, '{"instanceId":"cp-1"}'],
  [404, 'not found'],
])('a response that is not of the metadata service (%i %s) is reported with its status', async (status, body) => {
  const cloud = await cloudThatAnswers(status, body);
  await expect(cloud.facts(signal())).rejects.toThrow(
    new RegExp(`^cannot learn what this machine is: the response of \\S+ \\(status ${status}\\) is not`),
  );
});

test('a refusal is reported with its reason', async () => {
  const cloud = await cloudThatAnswers(403, '{"error":"only the control plane may use volumes"}');
  await expect(cloud.attachVolume('a', signal())).rejects.toThrow(
    'cannot attach the volume a: only the control plane may use volumes',
  );
});
