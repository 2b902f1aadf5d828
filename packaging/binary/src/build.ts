import { rename, writeFile } from 'node:fs/promises';
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
const WORK = path.join(DIST, '.build');

/** Builds both single executables, and the CLI's bundle, into dist/; each only when something in it has changed. */
export async function buildBinaries({ log }: { readonly log: (line: string) => void }): Promise<Binaries> {
  const [kopsctl, agents] = await Promise.all([
    buildOne('kopsctl', { makeBundle: buildCliBundle, log }),
    buildOne('kops-agents', {
      makeBundle: () => bundle('agents-entry.ts', bundleFile('kops-agents')),
      flags: AGENT_FLAGS,
      log,
    }),
  ]);
  return { kopsctl, agents };
}

/**
 * Bundles the CLI for `node_modules/.bin/kopsctl`; returns the bundle's hash. The file that is started only turns on
 * V8's compile cache: it has to be on before the bundle, which is most of the start, is compiled.
 */
export async function buildCliBundle(): Promise<string> {
  const hash = await bundle('cli-entry.ts', bundleFile('kopsctl'));
  const starter = [
    "require('node:module').enableCompileCache(require('node:path').join(__dirname, '.compile-cache'));",
    "require('./.build/kopsctl.cjs');",
    '',
  ].join('\n');
  await writeFile(`${CLI_STARTER}.new`, starter);
  await rename(`${CLI_STARTER}.new`, CLI_STARTER);
  return hash;
}

/** What bin/kopsctl starts; without it, it starts the sources. */
const CLI_STARTER = path.join(DIST, 'kopsctl.cjs');

function bundleFile(name: string): string {
  return path.join(WORK, `${name}.cjs`);
}

/** Agents wait most of the time: a small young generation keeps their garbage from growing to tens of megabytes. */
const AGENT_FLAGS = ['--max-semi-space-size=1'];

async function buildOne(
  name: string,
  options: {
    readonly makeBundle: () => Promise<string>;
    readonly flags?: readonly string[];
    readonly log: (line: string) => void;
  },
): Promise<string> {
  const { makeBundle, flags = [], log } = options;
  const startMs = Date.now();
  const { file, isNew } = await singleExecutable({
    bundleHash: await makeBundle(),
    bundle: bundleFile(name),
    node: process.execPath,
    flags,
    workDir: WORK,
    output: path.join(DIST, name),
  });
  log(isNew ? `dist/${name}: built in ${((Date.now() - startMs) / 1000).toFixed(1)} s` : `dist/${name}: unchanged`);
  return file;
}

if (import.meta.main) {
  try {
    await buildBinaries({ log: (line) => process.stderr.write(`${line}\n`) });
  } catch (error) {
    process.stderr.write(`Error: ${messageOf(error)}\n`);
    if (error instanceof ActionableError) process.stderr.write(`Next:  ${error.next}\n`);
    process.exitCode = 1;
  }
}
