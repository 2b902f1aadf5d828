import { basename } from 'node:path';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';

/** A list of hashes has a line of some hundred letters for each file of a release. */
const MAX_BYTES = 1 << 20;

/** The hash of a file as upstream publishes it, over TLS. */
export async function publishedSha256(sha256Url: string, fileUrl: string, signal: AbortSignal): Promise<string> {
  const refuse = (why: string, cause?: unknown) =>
    new ActionableError({
      what: `find the hash of ${basename(new URL(fileUrl).pathname)}`,
      why: `${sha256Url}: ${why}`,
      next: `check that this machine reaches it: curl -I ${sha256Url}`,
      ...(cause === undefined ? {} : { cause }),
    });
  let text: string;
  try {
    const response = await fetch(sha256Url, { signal });
    if (!response.ok) throw new Error(`it answered ${response.status} ${response.statusText}`);
    text = await response.text();
  } catch (cause) {
    signal.throwIfAborted();
    throw refuse(messageOf(cause), cause);
  }
  if (text.length > MAX_BYTES) throw refuse(`it is ${text.length} bytes long, which is too long for a list of hashes`);
  const hash = hashIn(text, basename(new URL(fileUrl).pathname));
  if (hash === undefined) throw refuse('it holds no SHA-256 of that file');
  return hash;
}

/** The hash of a file in what sha256sum writes (`<hash>  <file>`), or in a text that is a hash and nothing else. */
export function hashIn(text: string, file: string): string | undefined {
  const lines = text.split('\n').map((line) => line.trim().split(/\s+/));
  const named = lines.find(([, name = '']) => basename(name.replace(/^\*/, '')) === file);
  const alone = lines.length <= 2 && lines[0]?.length === 1 ? lines[0] : undefined;
  const [hash = ''] = named ?? alone ?? [];
  return /^[0-9a-f]{64}$/.test(hash) ? hash : undefined;
}
