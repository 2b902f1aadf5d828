import { expect, test } from 'vitest';
import { identityIn, printEnvironment, printUnit, survivesKill } from './systemd-unit.ts';
import { identityOf, type EtcdUnit } from './unit-runner.ts';

const UNIT: EtcdUnit = {
  name: 'etcd-main',
  binary: '/opt/etcd-v3.4.23/etcd',
  mountPoint: '/mnt/etcd-main',
  lasting: { ETCD_NAME: 'etcd-a', ETCD_LISTEN_PEER_URLS: 'https://172.30.0.2:2380' },
  initial: { ETCD_INITIAL_CLUSTER_STATE: 'new' },
};

test('a unit outlives its manager, has time to exit, and never outlives its mount', () => {
  const text = printUnit(UNIT, '/run/kops/etcd-main.env');
  for (const line of [
    'Restart=always',
    'KillSignal=SIGTERM',
    'TimeoutStopSec=30',
    'Before=etcd-manager.service',
    'RequiresMountsFor=/mnt/etcd-main',
  ]) {
    expect(text.split('\n')).toContain(line);
  }
});

test('an etcd can write on its volume alone, and has no right of root but to its files', () => {
  const lines = printUnit(UNIT, '/run/kops/etcd-main.env').split('\n');
  for (const line of ['ProtectSystem=strict', 'ReadWritePaths=/mnt/etcd-main', 'CapabilityBoundingSet=']) {
    expect(lines).toContain(line);
  }
});

test('the memory of an etcd follows its quota', () => {
  const memoryOf = (lasting: EtcdUnit['lasting']) => /^MemoryMax=(.*)$/m.exec(printUnit({ ...UNIT, lasting }, ''))?.[1];
  expect(memoryOf({})).toBe(String(6 * 1024 ** 3));
  expect(memoryOf({ ETCD_QUOTA_BACKEND_BYTES: String(8 * 1024 ** 3) })).toBe(String(18 * 1024 ** 3));
});

test('an etcd that may lose its data by SIGKILL is known', () => {
  const survives = (version: string) => survivesKill(printUnit({ ...UNIT, binary: `/opt/etcd-v${version}/etcd` }, ''));
  expect(['3.5.0', '3.5.1', '3.5.2'].map(survives)).toEqual([false, false, false]);
  expect(['3.4.23', '3.5.3', '3.5.21', '3.6.0'].map(survives)).toEqual([true, true, true, true]);
});

test('only a lasting setting restarts etcd', () => {
  const text = printUnit(UNIT, '/run/kops/etcd-main.env');
  expect(identityIn(text)).toBe(identityOf(UNIT));
  const joining: EtcdUnit = { ...UNIT, initial: { ETCD_INITIAL_CLUSTER_STATE: 'existing' } };
  expect(identityOf(joining)).toBe(identityOf(UNIT));
  expect(identityOf({ ...UNIT, binary: '/opt/etcd-v3.5.16/etcd' })).not.toBe(identityOf(UNIT));
  expect(identityOf({ ...UNIT, lasting: { ...UNIT.lasting, ETCD_NAME: 'etcd-b' } })).not.toBe(identityOf(UNIT));
});

test('values reach etcd unchanged, whatever characters systemd interprets', () => {
  const unit = { ...UNIT, lasting: { X: 'a "b" $c \\ `d`' }, initial: {} };
  expect(printEnvironment(unit)).toBe('X="a \\"b\\" \\$c \\\\ \\`d\\`"\n');
});
