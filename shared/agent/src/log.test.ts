import { expect, test } from 'vitest';
import { makeLog } from './log.ts';

function linesOf(isJournal: boolean): string[] {
  const lines: string[] = [];
  const log = makeLog((line) => lines.push(line), isJournal, 'etcd-manager');
  log.about('main').info('add-member', { peer: 'b', skipped: undefined });
  log
    .about('main')
    .about('backup')
    .warn('cannot store the backup', { error: new Error('disk full') });
  log.error('stop');
  return lines;
}

test('for a person a line begins with component and subject', () => {
  expect(linesOf(false)).toEqual([
    'etcd-manager main: add-member peer=b\n',
    'etcd-manager main backup: cannot store the backup error="disk full"\n',
    'etcd-manager: stop\n',
  ]);
});

test('for the journal the priority comes first', () => {
  expect(linesOf(true).map((line) => line.slice(0, 16))).toEqual([
    '<6>etcd-manager ',
    '<4>etcd-manager ',
    '<3>etcd-manager:',
  ]);
});

test('a field may have any name, and a message any sign', () => {
  const lines: string[] = [];
  makeLog((line) => lines.push(line), false, 'nodeup').info('100 %s', { level: 1, subject: 'a', message: 'b' });
  expect(lines).toEqual(['nodeup: 100 %s level=1 subject=a message=b\n']);
});
