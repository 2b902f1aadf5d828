import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { VERSION } from '@kopsctl/cli/version.ts';
import { ActionableError, codeOf } from '@kopsctl/errors/actionable-error.ts';
import { type Bundle, ROOT } from '@kopsctl/packaging-binary/bundle.ts';

import { executableName } from './build-executables.ts';
import { bundledPackages, type Lock } from './bundled-packages.ts';
import { debianPackage } from './debian-package.ts';
import { npmPackage } from './npm-package.ts';
import { npmSbom } from './npm-sbom.ts';
import { releaseSbom } from './sbom.ts';
import { sourceDate } from './source-date.ts';
import type { Target } from './targets.ts';

/** Makes the packages and the SBOM of the executables that are in a folder. */
export async function buildPackages(options: {
  readonly cli: Bundle;
  readonly agents: Bundle;
  readonly targets: readonly Target[];
  readonly out: string;
  readonly log: (line: string) => void;
}): Promise<void> {
  const { cli, agents, targets, out, log } = options;
  const version = VERSION;
  const license = await readFile(path.join(ROOT, 'LICENSE'), 'utf8');
  const dateSeconds = await sourceDate(process.env, ROOT);
  for (const { os, arch } of targets.filter((target) => target.os === 'linux')) {
    const kopsctl = path.join(out, executableName('kopsctl', { os, arch }));
    log(await explained(debianPackage({ version, arch, kopsctl, license, dateSeconds }, out)));
  }
  log(await npmPackage({ version, bundle: cli, license, dateSeconds }, out));
  const sbom = `kopsctl-${version}.cdx.json`;
  const nodes = targets.map(({ node }) => node);
  const lock: Lock = JSON.parse(await readFile(path.join(ROOT, 'package-lock.json'), 'utf8'));
  const packages = bundledPackages([...cli.sources, ...agents.sources], lock);
  await writeFile(path.join(out, sbom), releaseSbom(await npmSbom(), { packages, nodes }));
  log(sbom);
}

async function explained<T>(making: Promise<T>): Promise<T> {
  try {
    return await making;
  } catch (cause) {
    if (codeOf(cause) !== 'ENOENT') throw cause;
    throw new ActionableError({
      what: 'make the Debian package',
      why: 'this machine has no dpkg-deb',
      next: 'install the package dpkg',
      cause,
    });
  }
}
