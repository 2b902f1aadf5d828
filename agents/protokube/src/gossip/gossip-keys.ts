import { ActionableError } from '@kopsctl/errors/actionable-error.ts';

const KEY_LENGTHS = [16, 24, 32];

/** A key of a ring. */
export interface GossipKey {
  readonly key: Uint8Array;
  /** Since when it decrypts or, once it has been the first, encrypts; unknown if it was just made with the cluster. */
  readonly sinceMs?: number;
}

/** A line for each key: base64 and, where it is known, the date. The first encrypts, all decrypt. */
export function parseKeys(text: string, source: string): readonly GossipKey[] {
  const lines = text.split('\n').map((line) => line.trim());
  const keys = lines.filter((line) => line !== '').map((line) => parseKey(line, source));
  if (keys.length > 0) return keys;
  throw unusable(source, 'it holds no key');
}

export function printKeys(keys: readonly GossipKey[]): string {
  return keys
    .map(({ key, sinceMs }) => {
      const date = sinceMs === undefined ? '' : ` ${new Date(sinceMs).toISOString()}`;
      return `${Buffer.from(key).toString('base64')}${date}\n`;
    })
    .join('');
}

function parseKey(line: string, source: string): GossipKey {
  const [base64 = '', date, ...rest] = line.split(/\s+/);
  const key = Buffer.from(base64, 'base64');
  if (!KEY_LENGTHS.includes(key.byteLength)) {
    throw unusable(source, `a key in it has none of the allowed lengths (${KEY_LENGTHS.join(', ')} bytes)`);
  }
  if (date === undefined) return { key };
  const sinceMs = Date.parse(date);
  if (Number.isNaN(sinceMs) || rest.length > 0) throw unusable(source, `what follows a key is not a single date`);
  return { key, sinceMs };
}

const unusable = (source: string, why: string): ActionableError =>
  new ActionableError({
    what: `gossip with the keys of ${source}`,
    why,
    next: 'write one key per line to that secret of the state store, e.g. the output of `openssl rand -base64 32`',
  });
