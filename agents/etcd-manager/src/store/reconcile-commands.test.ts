import { expect, test } from 'vitest';
import { makeLog } from '@kopsctl/agent/log.ts';
import { readOutcome, writeCommand } from '@kopsctl/state-store/etcd/command.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { Bell } from '../bell/bell.ts';
import { machineClock } from '../clock.ts';
import { Leadership } from '../lease/leadership.ts';
import { commandMemory, lookAtCommands, type CommandsEnv } from './reconcile-commands.ts';

const CONFIG = { backupPath: 'demo.example.com/backups/etcd/main', etcdVersion: '3.6.16' };

/** A machine that leads. Its backups end with what `backup` says. */
function machine(backup: CommandsEnv['actions']['backup']) {
  const store = createMemoryStore();
  const leadership = new Leadership();
  leadership.begin(1, 'manager');
  const done = () => Promise.resolve('done');
  const env: CommandsEnv = {
    store,
    log: makeLog(() => undefined, false, 'test'),
    clock: machineClock,
    bell: new Bell(),
    term: () => leadership.term,
    member: () => Promise.resolve('a'),
    actions: { backup, verify: done, defrag: done },
  };
  const memory = commandMemory();
  const look = () => lookAtCommands(CONFIG, memory, env, AbortSignal.timeout(10_000));
  const ask = () => writeCommand(store, CONFIG.backupPath, { action: 'backup' }, Date.UTC(2026, 10, 26));
  return { leadership, look, ask, outcome: (name: string) => readOutcome(store, CONFIG.backupPath, name) };
}

test('a command of a leader that no longer leads is left to the next one', async () => {
  const results = [undefined, 'saved it'];
  const { look, ask, outcome } = machine(() => Promise.resolve(results.shift()));
  const name = await ask();
  await look();
  expect(await outcome(name)).toBe(undefined);
  await look();
  expect(await outcome(name)).toMatchObject({ result: 'done', message: 'saved it', by: 'a' });
});

test('what an action throws is the outcome, and the command is not carried out again', async () => {
  const failures = [new Error('the volume is full')];
  const { look, ask, outcome } = machine(() => Promise.reject(failures.shift() ?? new Error('asked twice')));
  const name = await ask();
  await look();
  await look();
  expect(await outcome(name)).toMatchObject({ result: 'failed', message: 'the volume is full' });
});

test('what is under way when the lease is lost ends, and is left to the next leader', async () => {
  const { leadership, look, ask, outcome } = machine(async (signal) => {
    leadership.end('it could not be renewed');
    signal.throwIfAborted();
    return 'saved it';
  });
  const name = await ask();
  await look();
  expect(await outcome(name)).toBe(undefined);
});
