import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { endLaunch } from './end-launch.ts';

const hook = { group: 'nodes.demo.example.com', hook: 'kops-warmpool' };
const error = (code: string, message: string): string =>
  `<ErrorResponse xmlns="http://autoscaling.amazonaws.com/doc/2011-01-01/"><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;

const asked: { readonly authorization: string; readonly body: URLSearchParams }[] = [];
let answer: readonly [status: number, body: string] = [200, ''];
let env: Readonly<Record<string, string>>;

/** The metadata service of a machine, and Auto Scaling as its API reference describes it. */
const server = createServer((request, response) => void serve(request, response));

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = new URLSearchParams(await text(request));
  if (request.url === '/latest/api/token') response.end('token');
  else if (request.url === '/latest/meta-data/instance-id') response.end('i-1');
  else {
    asked.push({ authorization: request.headers.authorization ?? '', body });
    response.writeHead(answer[0]).end(answer[1]);
  }
}

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  env = {
    AWS_EC2_METADATA_SERVICE_ENDPOINT: url,
    AWS_ENDPOINT_URL_AUTO_SCALING: url,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
  };
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => void asked.splice(0));

const end = () => endLaunch(hook, env, AbortSignal.timeout(30_000));

test('the group of a machine is told that it may continue with it', async () => {
  answer = [200, '<CompleteLifecycleActionResponse></CompleteLifecycleActionResponse>'];
  await end();
  expect(asked.map(({ body }) => Object.fromEntries(body))).toEqual([
    {
      Action: 'CompleteLifecycleAction',
      Version: '2011-01-01',
      AutoScalingGroupName: 'nodes.demo.example.com',
      InstanceId: 'i-1',
      LifecycleHookName: 'kops-warmpool',
      LifecycleActionResult: 'CONTINUE',
    },
  ]);
  expect(asked[0]?.authorization).toMatch(/Credential=key\/\d{8}\/eu-west-1\/autoscaling\/aws4_request/);
});

test('that nothing waits for the machine any more is not a failure', async () => {
  answer = [400, error('ValidationError', 'No active Lifecycle Action found with instance ID i-1')];
  await expect(end()).resolves.toBeUndefined();
});

test('a refusal says what to check', async () => {
  answer = [403, error('AccessDenied', 'not authorized to perform: autoscaling:CompleteLifecycleAction')];
  await expect(end()).rejects.toThrow(/tell nodes\.demo\.example\.com that i-1 is prepared.*AccessDenied/s);
});
