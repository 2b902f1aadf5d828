import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

import { packTar } from '@kopsctl/packaging-assets/deterministic-tar.ts';
import { type Bundle, MAIN_CHUNK } from '@kopsctl/packaging-binary/bundle.ts';

import { layTree } from './lay-tree.ts';

/** Makes the npm package in a folder: the CLI's bundle, which runs on the Node of the user. Returns its name. */
export async function npmPackage({ version, bundle, license, dateSeconds }: NpmPackage, out: string): Promise<string> {
  const name = `kopsctl-${version}.tgz`;
  const folder = await mkdtemp(path.join(tmpdir(), 'kopsctl-npm-'));
  try {
    const tree = new Map<string, string | Uint8Array>([
      ['package/package.json', `${JSON.stringify(manifest(version), undefined, 2)}\n`],
      ['package/README.md', README],
      ['package/LICENSE', license],
      [`package/${STARTER}`, starter],
    ]);
    for (const chunk of bundle.chunks) tree.set(`package/lib/${chunk}`, await readFile(path.join(bundle.dir, chunk)));
    await layTree(folder, tree, { executables: [`package/${STARTER}`], dateSeconds });
    const archive = path.join(folder, 'package.tar');
    await packTar(folder, archive, ['package']);
    await writeFile(path.join(out, name), gzipSync(await readFile(archive), { level: 9 }));
    return name;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface NpmPackage {
  readonly version: string;
  readonly bundle: Bundle;
  readonly license: string;
  readonly dateSeconds: number;
}

const STARTER = 'bin/kopsctl.cjs';
const NODE_MAJOR = 24;

const manifest = (version: string) => ({
  name: 'kopsctl',
  version,
  description: 'Creates and runs Kubernetes clusters the kops way',
  license: 'Apache-2.0',
  bin: { kopsctl: STARTER },
  engines: { node: `>=${NODE_MAJOR}` },
  files: ['bin', 'lib'],
});

/** An older Node would fail at syntax that it does not know. */
const starter = `#!/usr/bin/env node
'use strict';
if (Number(process.versions.node.split('.')[0]) < ${NODE_MAJOR}) {
  process.stderr.write(
    'Error: cannot start kopsctl: it needs Node ${NODE_MAJOR} or later, and this is ' + process.version + '\\n' +
      'Next:  npx --package=node@${NODE_MAJOR} --package=kopsctl -- kopsctl, or take the executable, which has Node in it\\n',
  );
  process.exitCode = 1;
} else {
  require('node:module').enableCompileCache();
  require('../lib/${MAIN_CHUNK}');
}
`;

const README = `# kopsctl

Creates and runs Kubernetes clusters the kops way. It needs Node ${NODE_MAJOR} or later.

    npx kopsctl --help
`;
