import { once } from 'node:events';
import { expect, test } from 'vitest';
import { managerMetrics } from './manager-metrics.ts';
import { serveMetrics } from '@kopsctl/agent/serve-metrics.ts';

test('the health page is 503 while something is wrong, and the metrics show it', async () => {
  const ended = new AbortController();
  const metrics = managerMetrics(() => 1_700_000_000_000);
  const server = await serveMetrics(metrics, 0, ended.signal);
  const address = server.address();
  const port = address === null || typeof address === 'string' ? 0 : address.port;
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: answer.status, text: await answer.text() };
  };
  const status = { member: 'a', address: '10.0.0.1', updatedAt: '', isLeader: true, wantedVersion: '3.4.23' };
  const main = metrics.of('main');
  main.onStatus({ ...status, decision: 'wait: wait for a leader' });
  expect(await get('/healthz')).toEqual({ status: 503, text: 'main: wait: wait for a leader\n' });

  const etcd = { memberId: '1', leaderId: '1', version: '3.4.23', revision: 1, dbSizeBytes: 20480, alarms: [] };
  main.onStatus({ ...status, decision: 'nothing: serving', etcd: { ...etcd, isLearner: false } });
  main.onVerified({ name: 'B', ok: true, at: '', by: 'a', durationMs: 1500 });
  expect(await get('/healthz')).toEqual({ status: 200, text: 'ok\n' });
  const { text } = await get('/metrics');
  expect(text).toContain('etcd_manager_member_has_leader{cluster="main"} 1');
  expect(text).toContain('etcd_manager_db_size_bytes{cluster="main"} 20480');
  expect(text).toContain('etcd_manager_backup_last_verified_timestamp_seconds{cluster="main"} 1700000000');
  const closed = once(server, 'close');
  ended.abort();
  await closed;
});
