import { join } from 'node:path';
import { execa } from 'execa';
import { ownSources } from '@kopsctl/packaging-assets/apt-root.ts';
import { otherSuite } from '@kopsctl/packaging-assets/apt-sources.ts';
import type { MadeFile } from '@kopsctl/packaging-assets/cached-folder.ts';
import { type MakingPlace, type WantedPackages, writeVersions } from '@kopsctl/packaging-assets/debian-packages.ts';

/** Installs packages with their dependencies into a root file system in `dir/root`. */
export async function makeRoot(
  { suite, packages }: WantedPackages,
  { dir }: MakingPlace,
): Promise<readonly MadeFile[]> {
  const root = join(dir, 'root');
  const what = ['--variant=apt', '--mode=root', `--include=${packages.join(',')}`];
  // The Release file of a development suite expires within days; its signature is still verified.
  const apt = ['--aptopt=Acquire::Check-Valid-Until "false"', '--aptopt=APT::Install-Recommends "false"'];
  const input = `${otherSuite(await ownSources(), suite).join('\n')}\n`;
  await execa('mmdebstrap', [...what, ...apt, suite, root, '-'], { input });
  const format = '-f=${Package} ${Version}\n';
  const { stdout } = await execa('dpkg-query', [`--admindir=${root}/var/lib/dpkg`, '-W', format, ...packages]);
  const versions = stdout.split('\n').map((line) => line.split(' '));
  return [await writeVersions(dir, Object.fromEntries(versions.map(([name = '', version = '']) => [name, version])))];
}
