import { open, readFile, stat } from 'node:fs/promises';
import { execa } from 'execa';
import { ActionableError, codeOf } from '@kopsctl/errors/actionable-error.ts';
import type { Contents } from './plan-volumes.ts';

/** ext4 keeps its superblock, groups and journal in the first megabytes: what is zero there was never formatted. */
const SAMPLE_BYTES = 4 * 1024 * 1024;
/** And copies of the superblock every 128 MiB (4 KiB blocks), which outlive a destroyed start. */
const GROUP_BYTES = 128 * 1024 * 1024;
const GROUP_SAMPLE_BYTES = 4096;
/** The first groups are enough: ext4 (sparse_super) has copies in groups 1, 3, 5, 7, 9. */
const GROUPS = 9;

/**
 * Says what a device holds. blkid's exit code 2 means both "nothing known" and "could not be read", so the
 * device is also read: only one that reads as zeros where file systems keep their marks is empty.
 */
export async function lookAt(device: string, signal: AbortSignal): Promise<Contents> {
  const probe = await execa('blkid', ['-p', '-o', 'export', device], { reject: false, cancelSignal: signal });
  if (probe.exitCode === 0) {
    const type = /^TYPE=(.+)$/m.exec(probe.stdout)?.[1];
    const usage = /^USAGE=(.+)$/m.exec(probe.stdout)?.[1];
    if (type !== undefined && usage === 'filesystem') return { state: 'filesystem', type };
    return { state: 'unclear', why: `blkid found ${probe.stdout.replaceAll('\n', ' ').trim()}` };
  }
  if (probe.exitCode !== 2) {
    return {
      state: 'unclear',
      why: `blkid ended with ${probe.exitCode ?? 'no exit code'}: ${probe.stderr.trim() || 'no message'}`,
    };
  }
  const data = await firstData(device);
  return data === undefined
    ? { state: 'empty' }
    : { state: 'unclear', why: `data at byte ${data} that blkid does not know` };
}

/** The position of the first byte that is not zero among the sampled places. */
async function firstData(device: string): Promise<number | undefined> {
  await using file = await open(device, 'r');
  const ranges = [{ at: 0, bytes: SAMPLE_BYTES }];
  for (let group = 1; group <= GROUPS; group += 1) ranges.push({ at: group * GROUP_BYTES, bytes: GROUP_SAMPLE_BYTES });
  const buffer = Buffer.alloc(SAMPLE_BYTES);
  for (const { at, bytes } of ranges) {
    const { bytesRead } = await file.read(buffer, 0, bytes, at);
    if (at === 0 && bytesRead === 0) throw unreadable(device);
    const found = buffer.subarray(0, bytesRead).findIndex((byte) => byte !== 0);
    if (found !== -1) return at + found;
    if (bytesRead < bytes) return undefined;
  }
  return undefined;
}

function unreadable(device: string): ActionableError {
  return new ActionableError({
    what: `look at ${device}`,
    why: 'it reads as having no bytes at all',
    next: `check it with \`blockdev --getsize64 ${device}\`; the volume may have been detached`,
  });
}

/** Makes an ext4 file system named after the etcd cluster. Whoever calls it has seen that the device is empty. */
export async function format(device: string, label: string, signal: AbortSignal): Promise<void> {
  // No reserved blocks: etcd is the only writer, and its quota is what limits it.
  await execa('mkfs.ext4', ['-q', '-m', '0', '-L', label.slice(0, 16), device], {
    cancelSignal: signal,
    stdin: 'ignore',
  });
}

/** Repairs what is safe to repair without a person. Other file systems than ext check themselves when mounted. */
export async function check(device: string, type: string, signal: AbortSignal): Promise<void> {
  if (!/^ext[234]$/.test(type)) return;
  const { exitCode, stdout, stderr } = await execa('e2fsck', ['-p', device], { reject: false, cancelSignal: signal });
  // e2fsck(8): 0 clean, 1 corrected, 2 corrected and a mounted root would need a reboot; 4 and above were left uncorrected.
  if (exitCode !== undefined && exitCode < 4) return;
  throw new ActionableError({
    what: `check the file system of ${device}`,
    why: `e2fsck -p ended with ${exitCode ?? 'no exit code'}: ${`${stdout} ${stderr}`.trim()}`,
    next: `repair it by hand with \`e2fsck ${device}\`; it is mounted as soon as it is clean`,
  });
}

/** Mounts without devices, set-uid or programs: it holds a database. */
export async function mount(device: string, type: string, mountPoint: string, signal: AbortSignal): Promise<void> {
  await execa('mount', ['-t', type, '-o', 'noatime,nosuid,nodev,noexec', device, mountPoint], { cancelSignal: signal });
}

/** Unmounts; throws while something still uses it. */
export async function unmount(mountPoint: string, signal: AbortSignal): Promise<void> {
  await execa('umount', [mountPoint], { cancelSignal: signal });
}

/** Takes a file system away whose device is gone, though it be in use: those who use it only get errors. */
export async function letGo(mountPoint: string, signal: AbortSignal): Promise<void> {
  await execa('umount', ['--lazy', mountPoint], { cancelSignal: signal });
}

export interface MountEntry {
  readonly mountPoint: string;
  readonly source: string;
  /** `major:minor` of the mounted device, which holds when it is known by several names. */
  readonly deviceNumber: string;
}

/** Reads proc(5)'s mountinfo: id parent major:minor root mountPoint options … - type source super-options. */
export function parseMountInfo(text: string): readonly MountEntry[] {
  return text.split('\n').flatMap((line) => {
    const fields = line.split(' ');
    const separator = fields.indexOf('-');
    const [, , deviceNumber, , mountPoint] = fields;
    const source = fields[separator + 2];
    if (separator === -1 || deviceNumber === undefined || mountPoint === undefined || source === undefined) return [];
    return [{ mountPoint: unescapeOctal(mountPoint), source: unescapeOctal(source), deviceNumber }];
  });
}

function unescapeOctal(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCodePoint(Number.parseInt(octal, 8)));
}

export async function mounts(): Promise<readonly MountEntry[]> {
  return parseMountInfo(await readFile('/proc/self/mountinfo', 'utf8'));
}

/** `major:minor` of a device node; undefined while it does not exist. */
export async function deviceNumber(device: string): Promise<string | undefined> {
  try {
    const found = await stat(device);
    if (!found.isBlockDevice()) return undefined;
    // Linux: 12 bits of major and 20 of minor, split over the number as makedev(3) does.
    const number = BigInt(found.rdev);
    const major = ((number >> 8n) & 0xfffn) | ((number >> 32n) & ~0xfffn);
    const minor = (number & 0xffn) | ((number >> 12n) & ~0xffn & 0xffffffffn);
    return `${major}:${minor}`;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}
