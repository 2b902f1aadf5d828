import { createHash } from 'node:crypto';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { streamFollowing } from '@kopsctl/http/follow-redirects.ts';
import type { Http } from '@kopsctl/http/http.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';

export interface FileToCopy {
  /** Where its project publishes it. */
  readonly from: string;
  /** In the repository. */
  readonly path: string;
  readonly sha256: string;
}

/** Releases have some hundred MB: a slow line is not a reason to give up, but a silent one is. */
const SILENCE_MS = 60_000;

/**
 * Copies a file into a repository, and its hash beside it. The file appears when all of it has arrived and has its hash;
 * the hash comes after it, so that it stands for a complete copy.
 *
 * @returns whether anything was copied
 */
export async function copyFile(
  http: Pick<Http, 'stream'>,
  repository: StateStore,
  file: FileToCopy,
  signal: AbortSignal,
): Promise<boolean> {
  const hashPath = `${file.path}.sha256`;
  const folder = file.path.split('/').slice(0, -1).join('/');
  const [there, hash] = await Promise.all([
    repository.list(folder === '' ? '' : `${folder}/`, signal),
    repository.read(hashPath, signal),
  ]);
  const before = there.find(({ path }) => path === file.path);
  const recorded = hash && new TextDecoder().decode(hash.bytes).trim();
  if (before !== undefined && recorded === file.sha256) return false;
  const { status, body } = await streamFollowing(
    http,
    { method: 'GET', url: file.from, silenceMs: SILENCE_MS },
    signal,
  );
  if (status !== 200) {
    body.destroy();
    throw uncopied(file, `it answers ${status}`, `check that this computer reaches it: curl -LO ${file.from}`);
  }
  await repository.writeStream(file.path, verified(body, file), ifUnchanged(before?.version), signal);
  await repository.write(hashPath, new TextEncoder().encode(`${file.sha256}\n`), ifUnchanged(hash?.version), signal);
  return true;
}

/** The bytes as they come. They end in an error unless they have their hash, and the store then keeps none of them. */
async function* verified(chunks: AsyncIterable<Uint8Array>, file: FileToCopy): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
  const found = hash.digest('hex');
  if (found === file.sha256) return;
  throw uncopied(
    file,
    `its SHA-256 is ${found}, and ${file.sha256} is wanted; nothing was written`,
    'run the same command again; if the error persists, something on the way changes downloads',
  );
}

const uncopied = ({ from }: FileToCopy, why: string, next: string): ActionableError =>
  new ActionableError({ what: `copy ${from}`, why, next });
