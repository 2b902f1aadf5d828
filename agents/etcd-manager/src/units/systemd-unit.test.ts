import { expect, test } from 'vitest';
import { identityIn, printEnvironment, printUnit } from './systemd-unit.ts';
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
    'RequiresMountsFor=/mnt/etcd-main',
  ]) {
    expect(text.split('\n')).toContain(line);
  }
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
