import { expect, test } from 'vitest';
import { progressCounter } from './count-progress.ts';

const counted = (what: string, done: number, total: number, atMs: number) =>
  ({ type: 'counted', what, done, total, atMs }) as const;

test('what is counted by itself has a bar with what is left, until it is done', () => {
  const bar = progressCounter();
  expect(bar(counted('files', 0, 4, 0))).toBe('░░░░░░░░░░░░░░░░░░░░░░░░ 0/4 files');
  expect(bar(counted('files', 1, 4, 1000))).toBe('██████░░░░░░░░░░░░░░░░░░ 1/4 files, about 3 s left');
  expect(bar(counted('files', 4, 4, 4000))).toBe('');
});

test('pods that leave machines are counted behind the machines of a rolling update', () => {
  const bar = progressCounter();
  const started = { type: 'roll-started', atMs: 0, roll: 'r', machines: 2, resumed: false } as const;
  expect(bar({ type: 'roll', event: started })).toBe(undefined);
  expect(bar(counted('pods of a', 1, 3, 1000))).toBe('░░░░░░░░░░░░░░░░░░░░░░░░ 0/2 machines; 1/3 pods of a');
  expect(bar(counted('pods of a', 2, 3, 2000))).toBe(
    '░░░░░░░░░░░░░░░░░░░░░░░░ 0/2 machines; 2/3 pods of a, about 1 s left',
  );
  expect(bar(counted('pods of a', 3, 3, 3000))).toBe('░░░░░░░░░░░░░░░░░░░░░░░░ 0/2 machines');
  const ended = { type: 'roll-ended', atMs: 4000, state: 'done', replaced: 2, failed: 0, left: 0 } as const;
  expect(bar({ type: 'roll', event: ended })).toBe('');
});

test('pods that stay on a machine are counted no longer than the machine is drained', () => {
  const bar = progressCounter();
  const stepped = (step: 'drain' | 'delete', node: string) =>
    ({
      type: 'roll',
      event: { type: 'machine-step', atMs: 2000, machine: 'i-1', node, instanceGroup: 'nodes', step },
    }) as const;
  bar({ type: 'roll', event: { type: 'roll-started', atMs: 0, roll: 'r', machines: 2, resumed: false } });
  expect(bar(stepped('drain', 'a'))).toBe(undefined);
  bar(counted('pods of a', 1, 3, 1000));
  expect(bar(stepped('delete', 'b'))).toBe(undefined);
  expect(bar(stepped('delete', 'a'))).toBe('░░░░░░░░░░░░░░░░░░░░░░░░ 0/2 machines');
});
