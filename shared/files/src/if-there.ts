import { codeOf } from '@kopsctl/errors/actionable-error.ts';

/**
 * The result of reading a path; undefined where there is nothing, and where a folder on the way to it is not a folder.
 *
 * @param reading `readFile(path)`, `readdir(path)`, `stat(path)` …
 * @throws whatever else the reading throws
 */
export async function ifThere<Found>(reading: Promise<Found>): Promise<Found | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}
