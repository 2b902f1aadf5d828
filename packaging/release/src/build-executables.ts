import { chmod, copyFile, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import type { Bundle } from '@kopsctl/packaging-binary/bundle.ts';
import { injectBlob } from '@kopsctl/packaging-binary/inject-blob.ts';

import { fetchNode } from './fetch-node.ts';
import { readMachO } from './mach-o.ts';
import type { Target } from './targets.ts';
import { writeBlob } from './write-blob.ts';

interface Program {
  readonly name: 'kopsctl' | 'kops-agents';
  readonly bundle: Bundle;
  readonly flags: readonly string[];
  /** Where it runs. */
  readonly targets: readonly Target[];
}

export interface HowToBuild {
  /** For what is needed on the way. */
  readonly work: string;
  /** Where the executables go. */
  readonly out: string;
  readonly log: (line: string) => void;
}

/** Makes one executable for each place where the program runs. Node is not stripped: no two versions of `strip` write the same bytes. */
export async function buildExecutables(
  { name, bundle, flags, targets }: Program,
  { work, out, log }: HowToBuild,
): Promise<void> {
  const nodes = path.join(work, 'nodes');
  const blobs = new Map<string, string>();
  for (const { os, arch, node, writer } of targets) {
    const { version } = writer;
    const blob =
      blobs.get(version) ??
      (await writeBlob({
        bundle,
        flags,
        writer: await fetchNode(writer, nodes),
        folder: path.join(work, `${name}-${version}`),
      }));
    blobs.set(version, blob);
    const output = executableName(name, { os, arch });
    const file = path.join(out, output);
    await copyFile(await fetchNode(node, nodes), file);
    await injectBlob(file, blob);
    await chmod(file, 0o755);
    if (os === 'darwin') await checkMachO(file, arch, blob);
    const tried = os === 'darwin' ? '; its structure was checked, but it was not run' : '';
    log(`${output}: Node ${node.version} of ${node.name}${tried}`);
  }
}

/** No macOS is at hand to run it. postject removes Node's signature, which does not cover the blob. */
async function checkMachO(file: string, arch: Target['arch'], blob: string): Promise<void> {
  const found = readMachO(await readFile(file));
  const wanted = { arch, blobBytes: (await stat(blob)).size, isSigned: false };
  if (!isDeepStrictEqual(found, wanted)) {
    throw new Error(`${file} is ${JSON.stringify(found)}; expected: ${JSON.stringify(wanted)}`);
  }
}

export const executableName = (program: string, { os, arch }: Pick<Target, 'os' | 'arch'>): string =>
  `${program}-${os}-${arch}`;
