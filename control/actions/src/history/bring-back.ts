import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';
import { ConflictError, type StateStore } from '@kopsctl/state-store/store.ts';
import { inParallel } from '../store/in-parallel.ts';
import type { SpecTexts } from './spec-at.ts';

export interface EarlierSpec {
  readonly cluster: string;
  /** The objects that differ. */
  readonly paths: readonly string[];
  readonly now: SpecTexts;
  readonly wanted: SpecTexts;
  /** The name of the point in the history at which the spec was as it is wanted. */
  readonly point: string;
}

/** The text of an object; undefined where there is none. */
type Text = string | undefined;

/**
 * Writes objects over exactly the texts that were read. All are compared before the first is written.
 *
 * @throws ActionableError that names the point: what was written until then is the last change, which the same command
 *   without a point would undo
 */
export async function bringBack(store: StateStore, { cluster, paths, now, wanted, point }: EarlierSpec): Promise<void> {
  const back: string[] = [];
  const versions = new Map<string, string | undefined>();
  await inParallel(paths, async (path) => {
    const { text, version } = await readText(store, `${cluster}/${path}`);
    if (text !== now.get(path)) throw refusal(path, 'somebody changed it meanwhile');
    versions.set(path, version);
  });
  for (const path of paths) {
    try {
      await put(store, `${cluster}/${path}`, { text: wanted.get(path), version: versions.get(path) });
    } catch (error) {
      throw refusal(path, error instanceof ConflictError ? 'somebody changed it meanwhile' : messageOf(error), error);
    }
    back.push(path);
  }

  function refusal(path: string, why: string, cause?: unknown): ActionableError {
    const done = back.length === 0 ? 'nothing was changed' : `already brought back: ${back.join(', ')}`;
    return new ActionableError({
      what: `bring ${path} of ${cluster} back`,
      why: `${why} (${done})`,
      next: `look at what happened with \`kopsctl history ${cluster}\`; \`kopsctl undo ${cluster} --to ${point} --yes\` brings back all of what was wanted, whoever changed it since`,
      ...(cause !== undefined && { cause }),
    });
  }
}

async function readText(
  store: StateStore,
  path: string,
): Promise<{ readonly text: Text; readonly version: string | undefined }> {
  const stored = await store.read(path);
  return { text: stored && new TextDecoder().decode(stored.bytes), version: stored?.version };
}

async function put(
  store: StateStore,
  path: string,
  { text, version }: { readonly text: Text; readonly version: string | undefined },
): Promise<void> {
  try {
    if (text !== undefined) await store.write(path, new TextEncoder().encode(text), ifUnchanged(version));
    else if (version !== undefined) await store.delete(path, { ifVersion: version });
  } catch (error) {
    // A store may report a conflict with a write that was its own.
    if (!(error instanceof ConflictError) || (await readText(store, path)).text !== text) throw error;
  }
}
