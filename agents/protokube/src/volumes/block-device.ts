import { open, readFile, stat } from 'node:fs/promises';
import { execa } from 'execa';
import { ActionableError, codeOf } from '@kopsctl/errors/actionable-error.ts';
import type { Contents } from './plan-volumes.ts';

/** ext4 has its superblock, group descriptors and journal in the first megabytes: if they are zero, it was never formatted. */
const SAMPLE_BYTES = 4 * 1024 * 1024;
/** It has copies of the superblock every 128 MiB (with 4 KiB blocks), which survive when the start is overwritten. */
const GROUP_BYTES = 128 * 1024 * 1024;
const GROUP_SAMPLE_BYTES = 4096;
/** The first groups are enough: with sparse_super, the copies are in groups 1, 3, 5, 7 and 9. */
const GROUPS = 9;

/**
 * Finds out what a device contains. blkid's exit code 2 means both "nothing found" and "could not be read", so the
 * device is read too: it is empty only if it reads as zeros where file systems keep their metadata.
 */
export async function lookAt(device: string, signal: AbortSignal): Promise<Contents> {
  const probe = await execa('blkid', ['-p', '-o', 'export', device], { reject: false, cancelSignal: signal });
  signal.throwIfAborted();
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
    : { state: 'unclear', isUnknownData: true, why: `blkid does not recognise the data at byte ${data}` };
}

/** The position of the first byte that is not zero in the sampled ranges. */
async function firstData(device: string): Promise<number | undefined> {
  await using file = await open(device, 'r');
  const ranges = [{ at: 0, bytes: SAMPLE_BYTES }];
  for (let group = 1; group <= GROUPS; group += 1) ranges.push({ at: group * GROUP_BYTES, bytes: GROUP_SAMPLE_BYTES });
  const buffer = Buffer.alloc(SAMPLE_BYTES);
  const zeros = Buffer.alloc(SAMPLE_BYTES);
  for (const { at, bytes } of ranges) {
    const { bytesRead } = await file.read(buffer, 0, bytes, at);
    if (at === 0 && bytesRead === 0) throw unreadable(device);
    const read = buffer.subarray(0, bytesRead);
    // Nearly all are zeros, which are compared at once: a function that is called for each byte takes a tenth of a second.
    if (!read.equals(zeros.subarray(0, bytesRead))) return at + read.findIndex((byte) => byte !== 0);
    if (bytesRead < bytes) return undefined;
  }
  return undefined;
}

function unreadable(device: string): ActionableError {
  return new ActionableError({
    what: `look at ${device}`,
    why: 'it has no bytes to read',
    next: `check it with \`blockdev --getsize64 ${device}\`; the volume may have been detached`,
  });
}

/** Creates an ext4 file system with this label. The caller has checked that the device is empty. */
export async function format(device: string, label: string, signal: AbortSignal): Promise<void> {
  // No reserved blocks: etcd is the only writer, and its quota limits it.
  await execa('mkfs.ext4', ['-q', '-m', '0', '-L', label.slice(0, 16), device], {
    cancelSignal: signal,
    stdin: 'ignore',
  });
}

/** Makes the repairs that are safe without a person. File systems other than ext check themselves when mounted. */
export async function check(device: string, type: string, signal: AbortSignal): Promise<void> {
  if (!/^ext[234]$/.test(type)) return;
  const { exitCode, stdout, stderr } = await execa('e2fsck', ['-p', device], { reject: false, cancelSignal: signal });
  signal.throwIfAborted();
  // e2fsck(8): 0 clean, 1 corrected, 2 corrected and the machine should be rebooted; from 4 on errors were left uncorrected.
  if (exitCode !== undefined && exitCode < 4) return;
  throw new ActionableError({
    what: `check the file system of ${device}`,
    why: `e2fsck -p ended with ${exitCode ?? 'no exit code'}: ${`${stdout} ${stderr}`.trim()}`,
    next: `repair it with \`e2fsck ${device}\`; protokube mounts it once it is clean`,
  });
}

/** Mounts it without device files, set-uid and executables: it holds a database. */
export async function mount(device: string, type: string, mountPoint: string, signal: AbortSignal): Promise<void> {
  await execa('mount', ['-t', type, '-o', 'noatime,nosuid,nodev,noexec', device, mountPoint], { cancelSignal: signal });
}

/** Unmounts; throws while the file system is in use. */
export async function unmount(mountPoint: string, signal: AbortSignal): Promise<void> {
  await execa('umount', [mountPoint], { cancelSignal: signal });
}

/** Detaches a file system whose device is gone, even while it is in use: its users only get I/O errors. */
export async function letGo(mountPoint: string, signal: AbortSignal): Promise<void> {
  await execa('umount', ['--lazy', mountPoint], { cancelSignal: signal });
}

export interface MountEntry {
  readonly mountPoint: string;
  readonly source: string;
  /** `major:minor` of the mounted device, the same for all of its names. */
  readonly deviceNumber: string;
}

/** Reads proc(5)'s mountinfo: id parent major:minor root mountPoint options … - type source super-options. */
function parseMountInfo(text: string): readonly MountEntry[] {
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
