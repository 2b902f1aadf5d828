import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { ActionableError, codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { ClientFiles } from '../etcd/client.ts';

/** What etcd's own tools say about a snapshot file. */
export interface SnapshotStatus {
  readonly revision: number;
  /** Entries of the database, all revisions of all keys among them. */
  readonly entries: number;
}

export interface RestoreRequest {
  readonly snapshot: string;
  /** Must not exist. */
  readonly dataDir: string;
  readonly name: string;
  readonly peerUrl: string;
  /** name=url of every member, comma separated: the same on all of them. */
  readonly initialCluster: string;
  readonly token: string;
  /** How far the revision is raised, where `canBumpRevision`. */
  readonly bumpRevision?: number;
  /** Its checksum was compared already: etcd's tool, which would read all of it once more, need not. */
  readonly isChecked?: boolean;
}

/** The programs that come with one etcd. Each runs as a process of its own: the memory that a restore takes is theirs. */
export interface SnapshotTools {
  /** Fetches a snapshot of the etcd at that address into a file. */
  save(endpoint: string, files: ClientFiles | undefined, path: string, signal: AbortSignal): Promise<void>;
  status(path: string, signal: AbortSignal): Promise<SnapshotStatus>;
  restore(request: RestoreRequest, signal: AbortSignal): Promise<void>;
  /** Copies what a data folder of etcd 2 holds into a new one; no etcd may run on it (etcdctl of 3.3 and 3.4 alone). */
  backUpEtcd2(dataDir: string, backupDir: string, signal: AbortSignal): Promise<void>;
  /** Makes keys of version 3 of what a data folder holds of version 2 (etcdctl of 3.3 and 3.4 alone). */
  migrate(dataDir: string, signal: AbortSignal): Promise<void>;
  /** etcd 3.5.16 (etcdutl) and newer; the older ones do not know --bump-revision. */
  canBumpRevision(signal: AbortSignal): Promise<boolean>;
}

export async function snapshotTools(binDir: string): Promise<SnapshotTools> {
  const etcdctl = join(binDir, 'etcdctl');
  // etcd 3.5 moved what works on files into a program of its own, and 3.6 took it out of etcdctl.
  const etcdutl = join(binDir, 'etcdutl');
  const offline = (await exists(etcdutl)) ? etcdutl : etcdctl;
  return {
    async save(endpoint, files, path, signal) {
      const credentials = files ? [`--cacert=${files.ca}`, `--cert=${files.cert}`, `--key=${files.key}`] : [];
      await run(etcdctl, [`--endpoints=${endpoint}`, ...credentials, 'snapshot', 'save', path], signal);
    },
    async status(path, signal) {
      const text = await run(offline, ['snapshot', 'status', path, '-w', 'json'], signal);
      const status: unknown = JSON.parse(text);
      const { revision, totalKey } = { revision: Number.NaN, totalKey: Number.NaN, ...(status as object) };
      if (!Number.isSafeInteger(revision) || !Number.isSafeInteger(totalKey)) {
        throw new Error(`${offline} snapshot status said neither revision nor totalKey: ${text.trim()}`);
      }
      return { revision, entries: totalKey };
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

/** Both outputs count: some versions print their help to one, some to the other. */
async function run(
  program: string,
  args: readonly string[],
  signal: AbortSignal,
  api: '2' | '3' = '3',
): Promise<string> {
  const { stdout, stderr, failed, exitCode, originalMessage } = await execa(program, args, {
    // etcdctl until 3.3 speaks version 2 unless told.
    env: { ETCDCTL_API: api },
    cancelSignal: signal,
    forceKillAfterDelay: 2000,
    reject: false,
  });
  signal.throwIfAborted();
  if (!failed) return stdout === '' ? stderr : stdout;
  throw new ActionableError({
    what: `${args.slice(0, args[0] === 'snapshot' ? 2 : args.length).join(' ')} with ${program}`,
    why: lastLine(stderr) || (originalMessage ?? `it ended with ${exitCode ?? 'a signal'}`),
    next: `run it by hand to see all it says: ${program} ${args.join(' ')}`,
  });
}

function lastLine(text: string): string {
  const line = text.trim().split('\n').at(-1) ?? '';
  try {
    // etcd's tools log in JSON; the error is a field of the line.
    const entry: unknown = JSON.parse(line);
    return typeof entry === 'object' && entry !== null && 'error' in entry ? String(entry.error) : line;
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
    throw new Error(`cannot look at ${path}: ${messageOf(error)}`, { cause: error });
  }
}
