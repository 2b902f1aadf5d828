import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import type { MadeFile } from '@kopsctl/packaging-assets/cached-folder.ts';
import { writeVersions } from '@kopsctl/packaging-assets/debian-packages.ts';
import type { Wheel } from './peers.ts';

/** Installs those packages of PyPI, and nothing that they depend on, into `dir/root`, a folder for PYTHONPATH. */
export async function installWheels(
  wheels: readonly Wheel[],
  dir: string,
  scratch: string,
): Promise<readonly MadeFile[]> {
  const requirements = join(scratch, 'requirements.txt');
  const lines = wheels.map(({ name, version, sha256 }) => `${name}==${version} --hash=sha256:${sha256}\n`);
  await writeFile(requirements, lines.join(''));
  // Only wheels: nothing of a package runs while it is installed. pip compiles the modules, so that programs start sooner.
  const how = ['--require-hashes', '--no-deps', '--only-binary', ':all:', '--disable-pip-version-check', '--quiet'];
  const argv = ['-m', 'pip', 'install', ...how, '--target', join(dir, 'root'), '--requirement', requirements];
  await execa('/usr/bin/python3', argv, { env: { PIP_ROOT_USER_ACTION: 'ignore' } });
  return [await writeVersions(dir, Object.fromEntries(wheels.map(({ name, version }) => [name, version])))];
}
