import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { TestCluster } from '../cluster.ts';
import { shell } from './disk.ts';

const METADATA = 'http://169.254.169.254';

/** Every object of a state store in a folder. */
export async function objectsOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .toSorted();
}

/** The requests of a machine to its metadata service, by method and path, that are answered with anything but a refusal. */
export async function allowed(
  cluster: TestCluster,
  machine: string,
  requests: readonly string[],
): Promise<readonly string[]> {
  // One shell for all: a store has a hundred objects.
  const ask = `curl -s -m 5 -o /dev/null -w '%{http_code}' -X "$method" -H 'If-None-Match: *' --path-as-is "${METADATA}$path"`;
  const script = `while read -r method path; do echo "$method $path $(${ask} </dev/null)"; done <<'REQUESTS'\n${requests.join('\n')}\nREQUESTS`;
  const answers = (await shell(cluster, machine, script)).split('\n').filter((line) => line !== '');
  if (answers.length !== requests.length) throw new Error(`${requests.length} requests, ${answers.length} answers`);
  return answers.filter((line) => !/ (400|403|404|405)$/.test(line));
}
