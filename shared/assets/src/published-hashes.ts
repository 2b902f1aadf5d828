import { PUBLISHED_HASHES } from './published-hashes-table.ts';

/** The hash of each file in the table of this release, by the address where it is published. Loaded only by commands that plan. */
export function publishedHashes(table: string = PUBLISHED_HASHES): ReadonlyMap<string, string> {
  const hashes = new Map<string, string>();
  let address = '';
  for (const line of table.trim().split('\n')) {
    if (line.startsWith('https://')) address = line;
    else {
      const [version = '', arch = '', sha256 = ''] = line.split(' ');
      hashes.set(address.replaceAll('{version}', version).replaceAll('{arch}', arch), sha256);
    }
  }
  return hashes;
}
