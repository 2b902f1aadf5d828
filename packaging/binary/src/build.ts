import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';

import { ROOT, bundle } from './bundle.ts';
import { singleExecutable } from './single-executable.ts';

export interface Binaries {
  /** The control CLI as one file. */
  readonly kopsctl: string;
  /** The three agents as one file; links named nodeup, protokube and etcd-manager start them. */
  readonly agents: string;
}

const DIST = path.join(ROOT, 'dist');

/** Builds both single executables into dist/, each only when something in it has changed. */
export async function buildBinaries({ log }: { readonly log: (line: string) => void }): Promise<Binaries> {
  const [kopsctl, agents] = await Promise.all([
    buildOne('cli-entry.ts', 'kopsctl', log),
    buildOne('agents-entry.ts', 'kops-agents', log),
  ]);
  return { kopsctl, agents };
}

/**
 * Bundles the CLI for `node_modules/.bin/kopsctl`. The file that is started only turns on V8's compile cache: it has
 * to be on before the bundle, which is most of the start, is compiled.
 */
export async function buildCliBundle(): Promise<string> {
  await bundle('cli-entry.ts', path.join(DIST, 'kopsctl-bundle.cjs'));
  const starter = path.join(DIST, 'kopsctl.cjs');
  const text = [
    "require('node:module').enableCompileCache(require('node:path').join(__dirname, '.compile-cache'));",
    "require('./kopsctl-bundle.cjs');",
    '',
  ].join('\n');
  await mkdir(DIST, { recursive: true });
  await writeFile(`${starter}.new`, text);
  await rename(`${starter}.new`, starter);
  return starter;
}

async function buildOne(entry: string, name: string, log: (line: string) => void): Promise<string> {
  const startMs = Date.now();
  const workDir = path.join(DIST, '.build');
  const file = path.join(workDir, `${name}.cjs`);
  const bundleHash = await bundle(entry, file);
  const output = path.join(DIST, name);
  const { isNew } = await singleExecutable({ bundle: file, bundleHash, node: process.execPath, workDir, output });
  log(isNew ? `dist/${name}: built in ${((Date.now() - startMs) / 1000).toFixed(1)} s` : `dist/${name}: unchanged`);
  return output;
}

if (import.meta.main) {
  try {
    await buildCliBundle();
    await buildBinaries({ log: (line) => process.stderr.write(`${line}\n`) });
  } catch (error) {
    process.stderr.write(`Error: ${messageOf(error)}\n`);
    if (error instanceof ActionableError) process.stderr.write(`Next:  ${error.next}\n`);
    process.exitCode = 1;
  }
}
