import { refusal } from './refusal.ts';

/**
 * Reads `Owner=John Doe,dn="cn=John Doe"`: pairs are parted by commas, a key or value that holds a `=` stands in double
 * quotes (doubled for one of its own), blanks before either are dropped. As with kops, no comma can be quoted.
 */
export function parseCloudLabels(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(',').map((record): [string, string] => {
    const [, key, , value] = /^\s*("(?:[^"]|"")*"|[^"=]*)(=)\s*("(?:[^"]|"")*"|[^"=]*)$/.exec(record) ?? [];
    if (key === undefined || value === undefined || key === '') {
      throw refusal(
        `--cloud-labels holds '${record}', which is not key=value`,
        `put what holds a = in double quotes: --cloud-labels 'dn="cn=John Doe"'`,
      );
    }
    return [unquote(key), unquote(value)];
  });
  return Object.fromEntries(pairs);
}

const unquote = (text: string): string => (text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text);
