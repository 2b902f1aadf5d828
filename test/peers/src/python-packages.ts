import { join } from 'node:path';
import { execa } from 'execa';
import type { MadeFile } from '@kopsctl/packaging-assets/cached-folder.ts';
import { writeVersions } from '@kopsctl/packaging-assets/debian-packages.ts';

/** Installs packages of PyPI in their versions, and nothing that they do not name, into `dir/root`, a folder for PYTHONPATH. */
export async function installPython(packages: readonly string[], dir: string): Promise<readonly MadeFile[]> {
  // Wheels alone: nothing of a package runs while it is installed.
  const how = ['--no-deps', '--only-binary', ':all:', '--no-compile', '--disable-pip-version-check', '--quiet'];
  await execa('/usr/bin/python3', ['-m', 'pip', 'install', ...how, '--target', join(dir, 'root'), ...packages]);
  const versions = packages.map((wanted) => wanted.split('=='));
  return [await writeVersions(dir, Object.fromEntries(versions.map(([name = '', version = '']) => [name, version])))];
}
