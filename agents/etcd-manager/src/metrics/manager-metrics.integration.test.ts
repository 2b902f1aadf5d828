import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveMetrics } from '@kopsctl/agent/serve-metrics.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, test, vi } from 'vitest';
import { TestMachine } from '../../testing/machine.ts';
import { machineClock } from '../clock.ts';
import { managerMetrics } from './manager-metrics.ts';

test('the health page is 503 while something is wrong, and the metrics show it', async () => {
  const ended = new AbortController();
  const clock = { nowMs: 0, wallMs: 1_700_000_000_000 };
  const metrics = managerMetrics({ nowMs: () => clock.nowMs, wallMs: () => clock.wallMs });
  const server = await serveMetrics(metrics, 0, ended.signal);
  const address = server.address();
  const port = address === null || typeof address === 'string' ? 0 : address.port;
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: answer.status, text: await answer.text() };
  };
  const status = { member: 'a', address: '10.0.0.1', updatedAt: '', isLeader: true, wantedVersion: '3.4.23' };
  const main = metrics.of('main');
  expect(await get('/healthz')).toEqual({ status: 503, text: 'main: no volume with its member was found\n' });
  main.onStatus({ ...status, decision: 'wait: wait for a leader' });
  expect(await get('/healthz')).toEqual({
    status: 503,
    text: expect.stringContaining('main: wait: wait for a leader\n'),
  });

  const etcd = { memberId: '1', leaderId: '1', version: '3.4.23', revision: 1, dbSizeBytes: 20480, alarms: [] };
  main.onStatus({ ...status, decision: 'nothing: serving', etcd: { ...etcd, isLearner: false } });
  main.onPublished();
  main.onVerified({ name: 'B', ok: true, at: '', by: 'a', durationMs: 1500 });
  expect(await get('/healthz')).toEqual({ status: 200, text: 'ok\n' });
  const { text } = await get('/metrics');
  expect(text).toContain('etcd_manager_member_has_leader{cluster="main"} 1');
  expect(text).toContain('etcd_manager_db_size_bytes{cluster="main"} 20480');
  expect(text).toContain('etcd_manager_backup_last_verified_timestamp_seconds{cluster="main"} 1700000000');

  main.onHealth('backup', 'no room');
  expect(await get('/healthz')).toEqual({ status: 503, text: 'main: backup: no room\n' });
  main.onHealth('backup', undefined);
  expect(await get('/healthz')).toEqual({ status: 200, text: 'ok\n' });

  clock.nowMs = 600_000;
  expect(await get('/healthz')).toEqual({ status: 503, text: 'main: the last status in the store is 600 s old\n' });
  main.onPublished();
  expect(await get('/healthz')).toEqual({ status: 200, text: 'ok\n' });

  main.onStatus(undefined);
  expect(await get('/healthz')).toEqual({ status: 503, text: 'main: no volume with its member was found\n' });
  const gone = (await get('/metrics')).text;
  expect(gone).toContain('etcd_manager_member_has_leader{cluster="main"} 0');
  expect(gone).not.toContain('etcd_manager_db_size_bytes{');
  const closed = once(server, 'close');
  ended.abort();
  await closed;
});

test('loops that fail are faults: of the member, and of its data', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'manager-metrics-'));
  const refuse = () => Promise.reject(new Error('refused'));
  const store = { ...createMemoryStore(), read: refuse, list: refuse, write: refuse };
  const etcd = { binDir: folder, version: '3.5.30', clientPort: 4001, peerPort: 2380 };
  const machine = new TestMachine(folder, '21', ['21'], etcd);
  const metrics = managerMetrics(machineClock);
  await machine.boot(store, metrics.of('main'));
  await vi.waitFor(() =>
    expect(metrics.faults()).toEqual(expect.arrayContaining(['main: member: refused', 'main: restore: refused'])),
  );
  await machine.end();
  await rm(folder, { recursive: true });
});
