import { expect, test } from 'vitest';
import { makeLog } from '@kopsctl/agent/log.ts';
import { decisionLog } from './decision-log.ts';

function record(idle: 'logged' | 'silent') {
  const lines: string[] = [];
  const decide = decisionLog(
    makeLog((line) => lines.push(line), true, 'main'),
    idle,
  );
  return { lines, decide };
}

test('a decision leaves one line, however often it is made in a row', () => {
  const { lines, decide } = record('silent');
  for (const _ of [1, 2, 3]) decide({ action: 'wait', summary: 'wait for b' });
  decide({ action: 'wait', summary: 'wait for c' }, { restore: 'R' });
  decide({ action: 'wait', summary: 'wait for c' }, { restore: 'S' });
  expect(lines).toEqual([
    '<6>main: wait summary="wait for b"\n',
    '<6>main: wait restore=R summary="wait for c"\n',
    '<6>main: wait restore=S summary="wait for c"\n',
  ]);
});

test('a verbose log has a line for each look, and what is no news has the priority of debugging', () => {
  const lines: string[] = [];
  const log = makeLog((line) => lines.push(line), true, 'etcd-manager').about('main', 'verbose');
  const decide = decisionLog(log.about('care'), 'silent');
  for (const action of ['wait', 'wait', 'nothing']) decide({ action, summary: 's' });
  expect(lines).toEqual([
    '<6>etcd-manager main care: wait summary=s\n',
    '<7>etcd-manager main care: wait summary=s\n',
    '<7>etcd-manager main care: nothing summary=s\n',
  ]);
});

test('doing nothing ends a decision, with a line or without', () => {
  const both = [record('silent'), record('logged')] as const;
  for (const { decide } of both) {
    for (const action of ['wait', 'nothing', 'wait']) decide({ action, summary: action });
  }
  expect(both.map(({ lines }) => lines.length)).toEqual([2, 3]);
});

test('a refusal is an error with what to do next', () => {
  const { lines, decide } = record('logged');
  decide({ action: 'refuse', summary: 'the disk is full', next: 'enlarge it' });
  expect(lines).toEqual(['<3>main: refuse summary="the disk is full" next="enlarge it"\n']);
});
