import { mkdtemp, open, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { afterEach, describe, expect, test } from 'vitest';
import type { CloudVolume } from '@kopsctl/node-cloud/node-cloud.ts';
import { keepRunning } from '@kopsctl/agent/keep-running.ts';
import { Latest } from '@kopsctl/node-cloud/latest.ts';
import { makeLog } from '@kopsctl/agent/log.ts';
import { mounts } from './block-device.ts';
import { LoopCloud } from '../testdata/loop-cloud.ts';
import { formatRecord } from './format-record.ts';
import { Mutex } from '@kopsctl/agent/mutex.ts';
import { reconcileVolume } from './reconcile-volumes.ts';
import { releaseVolumes } from './release-volumes.ts';

const why = await whyNot();
if (why !== undefined) console.log(`skipped: ${why}`);

/** Loop devices and mounts need root. */
async function whyNot(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'volumes are formatted and mounted by root only';
  const folder = await mkdtemp(join(tmpdir(), 'protokube-'));
  const image = join(folder, 'image');
  try {
    await writeFile(image, '');
    await truncate(image, 1024 * 1024);
    const { stdout } = await execa('losetup', ['--find', '--show', image]);
    await execa('losetup', ['--detach', stdout]);
    return undefined;
  } catch (error) {
    return `this machine gives no loop devices: ${String(error).split('\n')[0]}`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).toReversed()) await one();
});

async function world() {
  const folder = await mkdtemp(join(tmpdir(), 'protokube-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const mountPoint = join(folder, 'mnt');
  const cloud = new LoopCloud();
  undo.push(() => cloud.end());
  undo.push(() => execa('umount', [mountPoint], { reject: false }));
  const wanted = { etcdCluster: 'main', tagKey: 'k8s.io/etcd/main', mountPoint, memberHost: 'etcd-<member>' };
  const lines: string[] = [];
  const formats = formatRecord(join(folder, 'formatting'));
  /** Runs the reconciler until it has logged this text, then stops it, as a reboot or SIGTERM would. */
  const runUntil = async (text: string): Promise<string> => {
    lines.length = 0;
    const ended = new AbortController();
    const volumes = new Latest<CloudVolume>();
    volumes.set(await cloud.volumes());
    const log = makeLog((line) => lines.push(line), true, 'protokube');
    const running = keepRunning(
      (signal) =>
        reconcileVolume(wanted, [wanted.tagKey], { cloud, volumes, oneAtATime: new Mutex(), formats, log }, signal),
      ended.signal,
      log,
    );
    const deadline = performance.now() + 20_000;
    while (!lines.some((line) => line.includes(text)) && performance.now() < deadline) await sleep(20);
    ended.abort();
    await running;
    return lines.join('');
  };
  const isMounted = async () => (await mounts()).some((mount) => mount.mountPoint === mountPoint);
  const release = async (signal: AbortSignal): Promise<string> => {
    lines.length = 0;
    const log = makeLog((line) => lines.push(line), true, 'protokube');
    const { items } = await cloud.volumes();
    await releaseVolumes([wanted], { cloud, volumes: items, log }, signal);
    return lines.join('');
  };
  return { folder, mountPoint, cloud, formats, runUntil, isMounted, release };
}

describe.skipIf(why !== undefined)('with loop devices', () => {
  test('an empty volume is attached, formatted, mounted and labelled; after a reboot it is mounted with its data', async () => {
    const { folder, mountPoint, cloud, runUntil } = await world();
    await cloud.add(folder, 'a');
    const said = await runUntil('holds member a');
    expect(said).toMatch(/attach vol-a[^]*format [^]*check [^]*write [^]*holds member a/);
    expect(JSON.parse(await readFile(join(mountPoint, '.member'), 'utf8'))).toEqual({
      member: 'a',
      members: ['a'],
      volumeId: 'vol-a',
    });
    await writeFile(join(mountPoint, 'data'), 'precious');

    await execa('umount', [mountPoint]);
    const again = await runUntil('holds member a');
    expect(again).not.toContain('format');
    expect(await readFile(join(mountPoint, 'data'), 'utf8')).toBe('precious');
    expect((await mounts()).filter((mount) => mount.mountPoint === mountPoint)).toHaveLength(1);
  });

  test('a machine that is shut down detaches its volume once nobody uses it, and not before', async () => {
    const { folder, mountPoint, cloud, runUntil, isMounted, release } = await world();
    await cloud.add(folder, 'a');
    await runUntil('holds member a');
    await using user = await open(join(mountPoint, 'data'), 'w');
    expect(await release(AbortSignal.timeout(1000))).toContain(
      'volume stays attached until the machine is gone volumeId=vol-a',
    );
    expect(await isMounted()).toBe(true);
    await user.close();
    expect(await release(AbortSignal.timeout(10_000))).toContain('volume detached volumeId=vol-a');
    expect(await isMounted()).toBe(false);
    expect((await cloud.volumes()).items.map(({ attachedTo }) => attachedTo)).toEqual([undefined]);
  });

  test('when another machine got a volume first, the next one is claimed', async () => {
    const { folder, cloud, runUntil } = await world();
    await cloud.add(folder, 'a');
    await cloud.add(folder, 'b');
    cloud.taken.add('vol-a');
    expect(await runUntil('holds member b')).toContain(
      'volume not attached volumeId=vol-a error="vol-a is attached to i-2"',
    );
    expect(cloud.attaches).toEqual(['vol-a', 'vol-b']);
  });

  test('a volume with data that is not a file system is not formatted, and the message says what to do', async () => {
    const { folder, cloud, runUntil, isMounted } = await world();
    const image = await cloud.add(folder, 'a');
    await writeFile(
      image,
      Buffer.concat([Buffer.alloc(70_000), Buffer.from('precious'), Buffer.alloc(32 * 1024 * 1024)]),
    );
    const said = await runUntil('it is not formatted');
    expect(said).toContain('blkid does not recognise the data at byte 70000');
    // The end of the run must not be taken for another fault of the device.
    expect(said).not.toContain('no exit code');
    expect(await isMounted()).toBe(false);
    expect((await readFile(image)).includes('precious')).toBe(true);
  });

  test('a format that a crash interrupted is started again', async () => {
    const { folder, cloud, formats, runUntil } = await world();
    const image = await cloud.add(folder, 'a');
    await writeFile(
      image,
      Buffer.concat([Buffer.alloc(70_000), Buffer.from('inodes'), Buffer.alloc(32 * 1024 * 1024)]),
    );
    await formats.begin('vol-a');
    expect(await runUntil('holds member a')).toContain('format ');
    expect(await formats.wasInterrupted('vol-a')).toBe(false);
  });

  test('the record of a format that stayed behind is gone once the file system is mounted', async () => {
    const { folder, cloud, formats, runUntil } = await world();
    await execa('mkfs.ext4', ['-q', await cloud.add(folder, 'a')]);
    // A power failure after the format, before the end of the record was on the disk.
    await formats.begin('vol-a');
    expect(await runUntil('holds member a')).not.toContain('format ');
    expect(await formats.wasInterrupted('vol-a')).toBe(false);
  });

  test('what is known not to be a file system is not formatted, whatever the record says', async () => {
    const { folder, cloud, formats, runUntil } = await world();
    await execa('mkswap', [await cloud.add(folder, 'a')]);
    await formats.begin('vol-a');
    expect(await runUntil('it is not formatted')).toContain('blkid found');
  });
});
