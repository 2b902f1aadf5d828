import { refusal } from './refusal.ts';

/**
 * Parses `Owner=John Doe,dn="cn=John Doe"`. Pairs are separated by commas. A key or value that contains `=` is in double
 * quotes, with its own quotes doubled. Leading blanks are dropped. A comma cannot be quoted, and one too many does not matter, as in
 * kops.
 */
export function parseCloudLabels(text: string): Readonly<Record<string, string>> {
  const records = text.split(',').filter((record) => record !== '');
  const pairs = records.map((record): [string, string] => {
    const [, key, , value] = /^\s*("(?:[^"]|"")*"|[^"=]*)(=)\s*("(?:[^"]|"")*"|[^"=]*)$/.exec(record) ?? [];
    if (key === undefined || value === undefined || key === '') {
      throw refusal(
        `--cloud-labels holds '${record}', which is not key=value`,
        `put a key or value that contains = in double quotes: --cloud-labels 'dn="cn=John Doe"'`,
      );
    }
    return [unquote(key), unquote(value)];
  });
  return Object.fromEntries(pairs);
}

const unquote = (text: string): string => (text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text);
