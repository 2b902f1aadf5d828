import { makeLog } from '@kopsctl/agent/log.ts';
import { beforeEach, expect, test } from 'vitest';
import { Denials } from './denials.ts';
import { parseSigningRequest, type SigningRequest } from './signing-request.ts';

const { signal } = new AbortController();
let lines: string[];
let asked: { readonly name: string; readonly answer: () => void }[];
let denials: Denials;
let nowMs: number;

beforeEach(() => {
  lines = [];
  asked = [];
  nowMs = 0;
  const log = makeLog((line) => void lines.push(line), false, 'requests');
  const replace = async (path: string) =>
    new Promise<undefined>((resolve) => {
      asked.push({ name: path.split('/').at(-2) ?? '', answer: () => resolve(undefined) });
    });
  denials = new Denials({ replace }, log, () => nowMs);
});

const request = (name: string, chars = 0): SigningRequest =>
  parseSigningRequest({
    metadata: { name },
    spec: { username: 'system:node:nodes-1', signerName: 'kubernetes.io/kubelet-serving', request: 'x'.repeat(chars) },
  });

async function answerAll(): Promise<void> {
  for (let at = 0; at < asked.length; at += 1) {
    asked[at]?.answer();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('four requests are denied at once, one after the other', async () => {
  for (let index = 0; index < 10; index += 1) denials.add(request(`r${index}`), signal);
  expect(asked.map(({ name }) => name)).toEqual(['r0', 'r1', 'r2', 'r3']);
  await answerAll();
  expect(asked.map(({ name }) => name)).toEqual(Array.from({ length: 10 }, (_, index) => `r${index}`));
  denials.add(request('later'), signal);
  expect(asked.at(-1)?.name).toBe('later');
});

test('a request that is too long is left undecided', async () => {
  denials.add(request('long', 1_000_000), signal);
  denials.add(request('short', 2000), signal);
  expect(asked.map(({ name }) => name)).toEqual(['short']);
  expect(lines.join('')).toMatch(/left undecided.*long/);
});

test('no more than some hundred requests wait, and a request waits once', async () => {
  for (let index = 0; index < 1000; index += 1) denials.add(request(`r${index}`), signal);
  for (let times = 0; times < 10; times += 1) denials.add(request('r100'), signal);
  await answerAll();
  expect(asked).toHaveLength(4 + 256);
});

test('what is done about many is logged in part, with the number of those left out', async () => {
  for (let index = 0; index < 100; index += 1) denials.add(request(`r${index}`, 100_000), signal);
  expect(lines).toHaveLength(30);
  nowMs = 60_000;
  denials.add(request('late', 100_000), signal);
  expect(lines).toHaveLength(32);
  expect(lines[30]).toContain('70');
});
