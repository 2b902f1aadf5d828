import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { ActionableError, codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { parseJson } from '@kopsctl/state-store/etcd/backup-layout.ts';
import { asRecord, isRecord } from '@kopsctl/tasks/record.ts';
import type { ClientFiles } from '../etcd/gateway.ts';

/** What etcd's own tools report about a snapshot file. */
export interface SnapshotStatus {
  readonly revision: number;
  /** The number of entries in the database, including all revisions of all keys; of the keys alone since etcd 3.6. */
  readonly entries: number;
}

export interface RestoreRequest {
  readonly snapshot: string;
  /** The folder to create. It must not exist. */
  readonly dataDir: string;
  readonly name: string;
  readonly peerUrl: string;
  /** `name=url` of every member, separated by commas; the same on all members. */
  readonly initialCluster: string;
  readonly token: string;
  /** By how much to raise the revision; only if `canBumpRevision`. */
  readonly bumpRevision?: number;
  /** The checksum was verified already, so etcd's tool need not read the file once more. */
  readonly isChecked?: boolean;
}

/** The command-line tools of one etcd version. Each call is a process of its own, which also holds the memory of a restore. */
export interface SnapshotTools {
  /** Saves a snapshot of the etcd at that address to a file. Waits forever if etcd does not answer, unless `signal` aborts. */
  save(endpoint: string, files: ClientFiles | undefined, path: string, signal: AbortSignal): Promise<void>;
  status(path: string, signal: AbortSignal): Promise<SnapshotStatus>;
  restore(request: RestoreRequest, signal: AbortSignal): Promise<void>;
  /** Copies a data folder of etcd 2, on which no etcd may run, to a new folder (only etcdctl 3.3 and 3.4). */
  backUpEtcd2(dataDir: string, backupDir: string, signal: AbortSignal): Promise<void>;
  /** Converts the keys in a data folder from version 2 to version 3 (only etcdctl 3.3 and 3.4). */
  migrate(dataDir: string, signal: AbortSignal): Promise<void>;
  /** Whether the tools know --bump-revision: etcdutl 3.5.16 and newer. */
  canBumpRevision(signal: AbortSignal): Promise<boolean>;
}

/** etcdutl where the release has it, from 3.5 on; otherwise etcdctl does the same. */
export async function snapshotTools(binDir: string): Promise<SnapshotTools> {
  const etcdctl = join(binDir, 'etcdctl');
  // etcd 3.5 moved the commands for files to etcdutl, and etcd 3.6 removed them from etcdctl.
  const etcdutl = join(binDir, 'etcdutl');
  const offline = (await exists(etcdutl)) ? etcdutl : etcdctl;
  return {
    async save(endpoint, files, path, signal) {
      const credentials = files ? [`--cacert=${files.ca}`, `--cert=${files.cert}`, `--key=${files.key}`] : [];
      await run(etcdctl, [`--endpoints=${endpoint}`, ...credentials, 'snapshot', 'save', path], signal);
    },
    async status(path, signal) {
      return parseStatus(await run(offline, ['snapshot', 'status', path, '-w', 'json'], signal));
    },
    async restore(request, signal) {
      const { bumpRevision = 0 } = request;
      await run(
        offline,
        [
          'snapshot',
          'restore',
          request.snapshot,
          `--data-dir=${request.dataDir}`,
          `--name=${request.name}`,
          `--initial-cluster=${request.initialCluster}`,
          `--initial-cluster-token=${request.token}`,
          `--initial-advertise-peer-urls=${request.peerUrl}`,
          ...(bumpRevision > 0 ? [`--bump-revision=${bumpRevision}`, '--mark-compacted'] : []),
          ...(request.isChecked === true ? ['--skip-hash-check'] : []),
        ],
        signal,
      );
    },
    async backUpEtcd2(dataDir, backupDir, signal) {
      await run(etcdctl, ['backup', `--data-dir=${dataDir}`, `--backup-dir=${backupDir}`], signal, '2');
    },
    async migrate(dataDir, signal) {
      await run(etcdctl, ['migrate', `--data-dir=${dataDir}`], signal);
    },
    async canBumpRevision(signal) {
      return (await run(offline, ['snapshot', 'restore', '--help'], signal)).includes('--bump-revision');
    },
  };
}

/** @throws when the text is not what `snapshot status -w json` prints */
function parseStatus(text: string): SnapshotStatus {
  const { revision, totalKey } = asRecord(parseJson(Buffer.from(text)));
  if (typeof revision === 'number' && typeof totalKey === 'number') return { revision, entries: totalKey };
  throw new Error(`\`snapshot status\` printed no revision or no totalKey: ${text.trim()}`);
}

/** Resolves with stdout, or with stderr if stdout is empty: some versions print their help there. */
async function run(
  program: string,
  args: readonly string[],
  signal: AbortSignal,
  api: '2' | '3' = '3',
): Promise<string> {
  const { stdout, stderr, failed, exitCode, isTerminated, originalMessage } = await execa(program, args, {
    // Up to 3.3 etcdctl uses version 2 of the API by default.
    env: { ETCDCTL_API: api },
    cancelSignal: signal,
    forceKillAfterDelay: 2000,
    reject: false,
  });
  signal.throwIfAborted();
  if (!failed) return stdout === '' ? stderr : stdout;
  // A tool that was killed, or could not be started, has found out nothing.
  const Failure = isTerminated || exitCode === undefined ? ToolEndedError : ActionableError;
  throw new Failure({
    what: `run ${program} ${args.slice(0, args[0] === 'snapshot' ? 2 : args.length).join(' ')}`,
    why: lastLine(stderr) || (originalMessage ?? `it exited with ${exitCode ?? 'a signal'}`),
    next: `run it by hand to see its whole output: ${program} ${args.join(' ')}`,
  });
}

/** A tool was killed, as the kernel does when memory runs out, or could not be started. */
export class ToolEndedError extends ActionableError {
  override readonly name = 'ToolEndedError';
}

function lastLine(text: string): string {
  const line = text.trim().split('\n').at(-1) ?? '';
  try {
    // etcd's tools log in JSON. The error is a field of the entry.
    const entry: unknown = JSON.parse(line);
    return isRecord(entry) && 'error' in entry ? String(entry['error']) : line;
  } catch {
    return line;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw new Error(`cannot check whether ${path} exists: ${messageOf(error)}`, { cause: error });
  }
}
