import { chmod, copyFile } from 'node:fs/promises';
import path from 'node:path';

import { upstreamVersion } from './apt-root.ts';
import type { ProgramSource } from './program-source.ts';

/**
 * Programs of Debian packages, which are unpacked and not installed.
 *
 * @param packages the first one's version is that of the programs
 * @param programs the place of each program in the unpacked packages, by name
 */
export function fromPackages(
  packages: readonly [string, ...string[]],
  programs: Readonly<Record<string, string>>,
): ProgramSource {
  return {
    from: `Debian's ${packages.join(', ')}`,
    packages,
    inputs: [JSON.stringify(programs)],
    isReachable: async () => true,
    async provide({ dir, scratch, apt }) {
      const unpacked = path.join(scratch, 'unpacked');
      const versions = await apt.unpack(packages, unpacked);
      for (const [name, source] of Object.entries(programs)) {
        await copyFile(path.join(unpacked, source), path.join(dir, name));
        await chmod(path.join(dir, name), 0o755);
      }
      return upstreamVersion(`${packages[0]}_${versions[packages[0]] ?? ''}`);
    },
  };
}
