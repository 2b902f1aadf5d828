import { expect, test } from 'vitest';
import type { KeptReport } from '../follow/read-machine-report.ts';
import { journalOf, linesSince, presentLines, saidBy } from './journal.ts';

const line = (at: string, program: string, process: number, text: string): string =>
  `${at} nodes-1 ${program}[${process}]: ${text}`;

test('of a program that was started again, what it said before explains nothing', () => {
  const journal = [
    line('May 01 12:00:00', 'containerd', 345, 'cni plugin not initialized'),
    line('May 01 12:00:05', 'kubelet', 400, 'E0501 something'),
    line('May 01 12:00:09', 'containerd', 988, "failed to unmarshal TOML: toml: expected '=' after key"),
  ];
  expect(saidBy(journal, 'containerd')).toEqual(journal.slice(2));
  expect(saidBy(journal, 'containerd', 'kubelet')).toEqual(journal.slice(1));
});

test('both etcds of a machine are heard', () => {
  const journal = [line('May 01 12:00:00', 'etcd', 1, 'main'), line('May 01 12:00:01', 'etcd', 2, 'events')];
  expect(saidBy(journal, 'etcd')).toEqual(journal);
});

test('what was said long before the newest line, or before the last boot, explains nothing', () => {
  const old = line('Dec 31 23:30:00', 'kubelet', 9, 'old');
  const recent = line('Dec 31 23:55:00', 'kubelet', 9, 'recent');
  const newest = line('Jan  1 00:00:00', 'kubelet', 9, 'newest');
  expect(presentLines([old, recent, newest])).toEqual([recent, newest]);
  expect(presentLines([recent, '-- Boot 0a1b --', newest])).toEqual([newest]);
  expect(presentLines([newest, 'a line of another form'])).toEqual([newest, 'a line of another form']);
});

test('lines since a time are found across the turn of a year', () => {
  const [before, after] = [
    line('Dec 31 23:58:00', 'kubelet', 9, 'before'),
    line('Jan 01 00:01:00', 'kubelet', 9, 'after'),
  ];
  const other = 'a line of another form';
  expect(linesSince([before, after, other], Date.parse('2026-12-31T23:59:00Z'))).toEqual([after, other]);
  expect(linesSince([before, after, other], Date.parse('2027-01-01T00:00:00Z'))).toEqual([after, other]);
  expect(linesSince([before, after], Date.parse('2027-01-01T00:02:00Z'))).toEqual([]);
});

const keptWith = (failures: Readonly<Record<string, string>>, ...errors: readonly string[]): KeptReport => ({
  writtenAt: '2026-05-01T12:00:00Z',
  state: { units: {}, certificates: {}, failures },
  errors,
});
const OF_KUBELET = line('May 01 12:00:00', 'kubelet', 9, 'E0501 Unauthorized');
const OF_API_SERVER = line('May 01 12:00:00', 'kube-apiserver', 3, 'Error: unknown flag: --x');

test('errors that were kept while all was well are those of a boot, and explain nothing', () => {
  expect(journalOf([], keptWith({}, OF_KUBELET))).toEqual([]);
  expect(journalOf([], keptWith({ state: 'connect ECONNREFUSED' }, OF_KUBELET))).toEqual([OF_KUBELET]);
});

test('what was kept adds programs that could not be read here', () => {
  const read = [line('May 01 12:01:00', 'kubelet', 9, 'E0501 newer')];
  const kept = keptWith({ state: 'connect ECONNREFUSED' }, OF_KUBELET, OF_API_SERVER);
  expect(journalOf(read, kept)).toEqual([OF_API_SERVER, ...read]);
  expect(journalOf(read, undefined)).toEqual(read);
});
