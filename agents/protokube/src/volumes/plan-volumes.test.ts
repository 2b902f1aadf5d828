import { describe, expect, test } from 'vitest';
import type { CloudVolume } from '@kopsctl/node-cloud/node-cloud.ts';
import { parseMemberTag, planVolume, type ObservedMount, type VolumeWorld } from './plan-volumes.ts';

const MAIN = {
  etcdCluster: 'main',
  tagKey: 'k8s.io/etcd/main',
  mountPoint: '/mnt/etcd-main',
  memberHost: 'etcd-<member>.internal.demo',
};

function volume(member: string, holder?: string, zone = 'z1'): CloudVolume {
  return {
    id: `vol-${member}`,
    name: `${member}.etcd-main.demo`,
    sizeGiB: 1,
    zone,
    tags: { 'k8s.io/etcd/main': `${member}/a,b,c` },
    ...(holder !== undefined && {
      attachedTo: { instanceId: holder, address: '172.30.0.9', device: `/dev/xvd${member}` },
    }),
  };
}

function step(volumes: readonly CloudVolume[], world: Partial<VolumeWorld> = {}, mount: ObservedMount = {}): string {
  const { action, summary } = planVolume(MAIN, {
    instanceId: 'i-1',
    zone: 'z1',
    volumes,
    refused: new Set(),
    heldMembers: [],
    mount,
    ...world,
  });
  return `${action}: ${summary}`;
}

test('a mount whose device has disappeared is unmounted, whatever the cloud says', () => {
  const mount = { mountedDevice: '/dev/xvda', isDeviceGone: true };
  expect(step([volume('a')], {}, mount)).toBe('let-go: unmount /mnt/etcd-main: its device /dev/xvda has disappeared');
  expect(step([volume('a', 'i-1')], {}, { ...mount, device: { path: '/dev/xvda', present: false } })).toContain(
    'let-go',
  );
  expect(step([volume('a')], {}, { mountedDevice: '/dev/xvda', isDeviceGone: false })).toContain('refuse');
});

describe('claiming', () => {
  test('takes the first free volume', () => {
    expect(step([volume('b'), volume('a')])).toContain('attach: attach vol-a');
  });
  test('takes the next one after the cloud has refused', () => {
    expect(step([volume('a'), volume('b')], { refused: new Set(['vol-a']) })).toContain('attach vol-b');
  });
  test('prefers its own zone, then the member it already has of another etcd cluster', () => {
    expect(step([volume('a', undefined, 'z2'), volume('b'), volume('c')])).toContain('attach vol-b');
    expect(step([volume('a'), volume('b'), volume('c')], { heldMembers: ['c'] })).toContain('attach vol-c');
  });
  test('waits when every volume is held, and says so', () => {
    expect(step([volume('a', 'i-2')])).toBe(
      'wait-for-volume: wait for a free main volume (1 tagged k8s.io/etcd/main, 1 held by other machines, 0 refused)',
    );
  });
  test('never claims a second volume', () => {
    const mount = { device: { path: '/dev/xvdb', present: false } };
    expect(step([volume('a'), volume('b', 'i-1')], {}, mount)).toContain('wait-for-device: wait for /dev/xvdb');
  });
  test('ignores volumes of other etcd clusters and volumes with an invalid tag', () => {
    const foreign = { ...volume('a'), tags: { 'k8s.io/etcd/events': 'a/a' } };
    expect(step([foreign, { ...volume('b'), tags: { 'k8s.io/etcd/main': 'b' } }])).toContain('0 tagged');
  });
});

describe('mounting', () => {
  const mine = [volume('a', 'i-1')];
  const path = '/dev/xvda';
  const at = (device: Partial<NonNullable<ObservedMount['device']>>, rest: ObservedMount = {}): string =>
    step(mine, {}, { ...rest, device: { path, present: true, ...device } });

  test('formats only an empty device', () => {
    expect(at({ contents: { state: 'empty' } })).toContain('format: format /dev/xvda');
    expect(at({ contents: { state: 'unclear', why: 'data at byte 512' } })).toContain('refuse: ');
    expect(at({ contents: { state: 'filesystem', type: 'xfs' } })).toContain('check-and-mount: ');
  });
  test('never mounts a device that is mounted elsewhere', () => {
    expect(at({ mountedAt: '/srv' })).toContain('refuse: /dev/xvda of vol-a is mounted at /srv');
  });
  test('refuses another file system at its mount point', () => {
    expect(at({ contents: { state: 'empty' } }, { mountedDevice: '/dev/sdz' })).toContain(
      'refuse: /mnt/etcd-main holds /dev/sdz',
    );
    expect(step([], {}, { mountedDevice: '/dev/sdz' })).toContain('refuse: ');
  });
  test('uses neither of two volumes that the cloud reports as one device', () => {
    const twin = { ...volume('x', 'i-1'), id: 'vol-events', tags: { 'k8s.io/etcd/events': 'a/a' } };
    const other = { ...twin, attachedTo: { instanceId: 'i-1', address: '172.30.0.9', device: path } };
    const mount = { device: { path, present: true, contents: { state: 'empty' } as const } };
    expect(step([...mine, other], {}, mount)).toContain(
      'refuse: the cloud says that both vol-a and vol-events are /dev/xvda',
    );
  });
  test('labels the mounted volume once, then plans nothing', () => {
    const mounted = { mountedDevice: path };
    expect(at({ mountedAt: '/mnt/etcd-main' }, mounted)).toContain('write-member: ');
    const memberFile = { member: 'a', members: ['a', 'b', 'c'], volumeId: 'vol-a' };
    expect(at({ mountedAt: '/mnt/etcd-main' }, { ...mounted, memberFile })).toContain('nothing: ');
  });
});

test('a member tag names the member and all members', () => {
  expect(parseMemberTag('a/a,b')).toEqual({ member: 'a', members: ['a', 'b'] });
  for (const bad of [undefined, '', 'a', 'a/', 'x/a,b', '/a', 'a/a/b']) expect(parseMemberTag(bad)).toBeUndefined();
});
