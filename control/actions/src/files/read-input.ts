import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';

/**
 * What a file holds, or what a URL of the web or of a state store leads to; `-` is standard input.
 *
 * @throws ActionableError where it cannot be read
 */
export async function readInput(file: string, env: NodeJS.ProcessEnv): Promise<Buffer> {
  if (file === '-') return buffer(process.stdin);
  const isUrl = /^[a-z][a-z0-9]*:\/\//.test(file);
  try {
    if (!isUrl) return await readFile(file);
    const { readUrl } = await import('./read-url.ts');
    return await readUrl(file, env);
  } catch (error) {
    // A store that cannot be opened says more than this could.
    if (error instanceof ActionableError) throw error;
    throw new ActionableError({
      what: `read ${file}`,
      why: messageOf(error),
      next: isUrl ? 'check the URL' : 'check the path',
      cause: error,
    });
  }
}

/** The same as text. */
export const readInputText = async (file: string, env: NodeJS.ProcessEnv): Promise<string> =>
  (await readInput(file, env)).toString('utf8');
