import { posix } from 'node:path';

/** The hash of a file in the output of sha256sum (`<hash>  <file>`), or in a text that is only a hash. */
export function hashIn(text: string, file: string): string | undefined {
  const lines = text.split('\n').map((line) => line.trim().split(/\s+/));
  const named = lines.find(([, name = '']) => posix.basename(name.replace(/^\*/, '')) === file);
  const alone = lines.length <= 2 && lines[0]?.length === 1 ? lines[0] : undefined;
  const [hash = ''] = named ?? alone ?? [];
  return /^[0-9a-f]{64}$/.test(hash) ? hash : undefined;
}
