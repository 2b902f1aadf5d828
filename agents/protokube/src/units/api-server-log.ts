import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ifThere } from '@kopsctl/files/if-there.ts';

/** Where kubelet has runtimes write what containers log: `NAMESPACE_POD_UID/CONTAINER/RESTARTS.log`. */
const POD_LOGS = '/var/log/pods';
const CONTAINER = 'kube-apiserver';
/** Why it ended is at the end; klog's longest lines have a few KiB. */
const MAX_BYTES = 64 * 1024;
/** One that has just been started has not said yet why it will end: the one before it has. */
const MAX_FILES = 2;
/** The format of CRI: `2026-05-01T12:00:00.123456789Z stderr F text`. */
const LINE = /^(\d{4}-\d\d-\d\dT\S+) (?:stdout|stderr) \S (.*)$/;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * What the API server of this machine logged last, as lines of the journal: kubelet does not say why a container ended, and without
 * an API nobody can ask for its log. Empty where there is none, and with Docker, which writes another format.
 */
export async function readApiServerLog(nodeName: string, folder: string = POD_LOGS): Promise<string> {
  const pods = ((await ifThere(readdir(folder))) ?? []).filter((name) =>
    name.startsWith(`kube-system_${CONTAINER}-${nodeName}_`),
  );
  const files = await Promise.all(pods.map((pod) => logFiles(join(folder, pod, CONTAINER))));
  const newest = files
    .flat()
    .toSorted((a, b) => a.modifiedMs - b.modifiedMs)
    .slice(-MAX_FILES);
  const texts = await Promise.all(
    newest.map(async ({ path, restarts }) => journalLines(nodeName, restarts, await tail(path))),
  );
  return texts.flat().join('\n');
}

interface LogFile {
  readonly path: string;
  /** How often kubelet had started the container again. */
  readonly restarts: string;
  readonly modifiedMs: number;
}

async function logFiles(folder: string): Promise<readonly LogFile[]> {
  const names = (await ifThere(readdir(folder))) ?? [];
  const found = names.map(async (name) => {
    const restarts = /^(\d+)\.log$/.exec(name)?.[1];
    const path = join(folder, name);
    const there = restarts === undefined ? undefined : await ifThere(stat(path));
    return restarts === undefined || there === undefined ? [] : [{ path, restarts, modifiedMs: there.mtimeMs }];
  });
  return (await Promise.all(found)).flat();
}

/** The end of a file, from its first complete line on. */
async function tail(path: string): Promise<string> {
  const file = await ifThere(open(path));
  if (file === undefined) return '';
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - MAX_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    const text = buffer.toString('utf8', 0, bytesRead);
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    await file.close();
  }
}

/** Their times are in UTC, whatever the time zone of the machine is. */
const journalLines = (nodeName: string, restarts: string, text: string): readonly string[] =>
  text.split('\n').flatMap((line) => {
    const [, stamp = '', said = ''] = LINE.exec(line) ?? [];
    const at = new Date(stamp);
    const month = MONTHS[at.getUTCMonth()];
    if (month === undefined) return [];
    const [day, time] = [String(at.getUTCDate()).padStart(2, '0'), at.toISOString().slice(11, 19)];
    return [`${month} ${day} ${time} ${nodeName} ${CONTAINER}[${restarts}]: ${said}`];
  });
