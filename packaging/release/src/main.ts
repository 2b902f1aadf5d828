import path from 'node:path';
import { parseArgs } from 'node:util';

import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { ROOT } from '@kopsctl/packaging-binary/bundle.ts';

import { makeRelease } from './make-release.ts';
import { TARGETS } from './targets.ts';

const USAGE = `Usage: npm run release -- [--key FILE] [--out FOLDER] [--target linux-amd64]...

Makes a release of kopsctl in a folder of its own.

  --key FILE    the OpenSSH key that signs the checksums; without it they are not signed
  --out FOLDER  where to write it (dist/release); replaced only if it holds nothing but an earlier release
  --target OS-ARCH  only for these targets; for all unless given
`;

async function main(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      key: { type: 'string' },
      out: { type: 'string', default: path.join(ROOT, 'dist/release') },
      target: { type: 'string', multiple: true, default: TARGETS.map(({ os, arch }) => `${os}-${arch}`) },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const names = new Set(values.target);
  const targets = TARGETS.filter(({ os, arch }) => names.delete(`${os}-${arch}`));
  if (names.size > 0) throw new TypeError(`--target ${[...names].join(', ')} is not a target that can be made`);
  const log = (line: string) => void process.stderr.write(`${line}\n`);
  await makeRelease({
    out: path.resolve(values.out),
    targets,
    log,
    ...(values.key !== undefined && { key: values.key }),
  });
  return 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`Error: ${messageOf(error)}\n`);
  if (error instanceof ActionableError) process.stderr.write(`Next:  ${error.next}\n`);
  process.exitCode = error instanceof TypeError ? 3 : 1;
}
