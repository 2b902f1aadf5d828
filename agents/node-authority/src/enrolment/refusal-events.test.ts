import { makeLog } from '@kopsctl/agent/log.ts';
import { KubeError } from '@kopsctl/kube/client.ts';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import { beforeEach, expect, test } from 'vitest';
import { RefusalEvents } from './refusal-events.ts';

const MINUTE_MS = 60_000;
const OTHER_KEY = 'it has another key than at its first attestation';
const machine = (name: string): CloudMachine => ({
  instanceId: `i-${name}`,
  nodeName: name,
  address: '10.0.0.1',
  externalAddresses: [],
  role: 'Node',
  instanceGroup: 'nodes',
  running: true,
});

let nowMs: number;
let apiIsAway: boolean;
let created: unknown[];
let lines: string[];
let events: RefusalEvents;

beforeEach(() => {
  nowMs = Date.parse('2026-01-02T12:00:00Z');
  apiIsAway = false;
  created = [];
  lines = [];
  events = new RefusalEvents({
    kube: {
      create: async (_path, object) => {
        if (apiIsAway) throw new KubeError('POST', 503, 'it is being restarted');
        created.push(object);
      },
    },
    log: makeLog((line) => lines.push(line), false, 'node-authority'),
    nowMs: () => nowMs,
  });
});

const refuse = async (name: string, reason = OTHER_KEY, signal = AbortSignal.timeout(30_000)): Promise<void> =>
  events.tell(machine(name), reason, signal);

test('an event about the Node says which machine is refused its name, and why', async () => {
  await refuse('nodes-1');
  expect(created).toEqual([
    expect.objectContaining({
      kind: 'Event',
      involvedObject: { apiVersion: 'v1', kind: 'Node', name: 'nodes-1', uid: 'nodes-1' },
      reason: 'AttestationRefused',
      message: 'i-nodes-1 is not attested: it has another key than at its first attestation',
      source: { component: 'node-authority' },
    }),
  ]);
});

test('a machine that asks every two seconds makes one event in ten minutes', async () => {
  for (const endMs = nowMs + 30 * MINUTE_MS; nowMs < endMs; nowMs += 2_000) await refuse('nodes-1');
  expect(created).toHaveLength(3);
});

test('refusals at the same moment make one event', async () => {
  await Promise.all([refuse('nodes-1'), refuse('nodes-1')]);
  expect(created).toHaveLength(1);
});

test('each machine and each reason has its own', async () => {
  for (const name of ['nodes-1', 'nodes-2'])
    for (const reason of [OTHER_KEY, 'it was revoked']) await refuse(name, reason);
  expect(created).toHaveLength(4);
});

test('while the API is away the log says so once in a minute, and the event comes when it is back', async () => {
  apiIsAway = true;
  for (const endMs = nowMs + 3 * MINUTE_MS; nowMs < endMs; nowMs += 2_000) await refuse('nodes-1');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toContain('event not created');
  apiIsAway = false;
  await refuse('nodes-1');
  expect(created).toHaveLength(1);
});

test('at the end of the authority nothing is said', async () => {
  apiIsAway = true;
  await refuse('nodes-1', OTHER_KEY, AbortSignal.abort());
  expect(lines).toEqual([]);
});
