import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';

/** What a file holds, or what a URL of the web or of a state store leads to; `-` is standard input. */
export async function readInput(file: string, env: NodeJS.ProcessEnv): Promise<Buffer> {
  if (file === '-') return buffer(process.stdin);
  if (!/^[a-z][a-z0-9]*:\/\//.test(file)) return readFile(file);
  const { readUrl } = await import('./read-url.ts');
  return readUrl(file, env);
}
