import { replaceFile } from '@kopsctl/files/replace-file.ts';

/** Replaces a file atomically and durably. Calls at the same time do not disturb each other. */
export function writeAtomically(
  path: string,
  content: string | Uint8Array,
  mode: number,
  owner?: { readonly uid: number; readonly gid: number },
): Promise<void> {
  return replaceFile(path, content, { mode, owner, hasManyWriters: true });
}
