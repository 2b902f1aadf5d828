import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { replaceFile } from '@kopsctl/files/replace-file.ts';
import { withExclusiveLock } from '@kopsctl/state-store/file/exclusive-lock.ts';

import { MAIN_CHUNK, ROOT, bundle } from './bundle.ts';
import type { Bundle } from './bundle.ts';
import { AGENTS_REHEARSAL, CLI_REHEARSAL, type Rehearsal } from './rehearsals.ts';
import { singleExecutable } from './single-executable.ts';

export interface Binaries {
  /** The control CLI as one file. */
  readonly kopsctl: string;
  /** The agents as one file; links with their names start them. */
  readonly agents: string;
}

const DIST = path.join(ROOT, 'dist');
const WORK = path.join(DIST, '.build');

/** One build takes half a minute; several builds on a busy machine take a few minutes. */
const BUILD_LIMIT_MS = 10 * 60_000;

/**
 * Builds both single executables and the CLI's bundle in dist/, each only if its inputs have changed. A concurrent
 * build waits for this one and uses its result.
 */
export function buildBinaries({ log }: { readonly log: (line: string) => void }): Promise<Binaries> {
  return alone(() => buildBoth(log));
}

async function buildBoth(log: (line: string) => void): Promise<Binaries> {
  const [kopsctl, agents] = await Promise.all([
    buildOne('kopsctl', { flags: CLI_FLAGS, rehearsal: CLI_REHEARSAL, makeBundle: bundleCli, log }),
    buildOne('kops-agents', {
      makeBundle: bundleAgents,
      flags: AGENT_FLAGS,
      rehearsal: AGENTS_REHEARSAL,
      log,
    }),
  ]);
  return { kopsctl, agents };
}

/**
 * Bundles the CLI for `node_modules/.bin/kopsctl`. Its entry file only enables V8's compile cache, which must happen
 * before the bundle is compiled: compilation is most of the start.
 */
export function buildCliBundle(): Promise<Bundle> {
  return alone(bundleCli);
}

/** Bundles the agents as they are on machines. */
export function buildAgentsBundle(): Promise<Bundle> {
  return alone(bundleAgents);
}

const bundleAgents = (): Promise<Bundle> => bundle('agents-entry.ts', bundleDir('kops-agents'));

async function alone<T>(build: () => Promise<T>): Promise<T> {
  await mkdir(WORK, { recursive: true });
  const lock = { file: path.join(WORK, 'lock'), what: `build ${DIST}`, waitLimitMs: BUILD_LIMIT_MS };
  return withExclusiveLock(lock, undefined, build);
}

async function bundleCli(): Promise<Bundle> {
  const made = await bundle('cli-entry.ts', bundleDir('kopsctl'));
  const starter = [
    "require('node:module').enableCompileCache(require('node:path').join(__dirname, '.compile-cache'));",
    `require('./.build/kopsctl/${MAIN_CHUNK}');`,
    '',
  ].join('\n');
  await replaceFile(CLI_STARTER, starter, { mode: 0o644 });
  return made;
}

/** The file that bin/kopsctl starts. Without it, bin/kopsctl starts the sources. */
const CLI_STARTER = path.join(DIST, 'kopsctl.cjs');

function bundleDir(name: string): string {
  return path.join(WORK, name);
}

/**
 * As kops's programs, ours trust the authorities that the machine trusts, e.g. of a company's own store or proxy, and Node's
 * besides. They are read for the first connection that needs them, which takes 20 ms and 3 MB.
 */
const TRUST = '--use-system-ca';

/** Agents are idle most of the time. A small young generation keeps their garbage from growing to tens of megabytes. */
export const AGENT_FLAGS = [TRUST, '--max-semi-space-size=1'];

/** A command exits before its garbage matters. This costs no time and saves a tenth of its memory. */
export const CLI_FLAGS = [TRUST, '--max-semi-space-size=2'];

async function buildOne(
  name: string,
  options: {
    readonly makeBundle: () => Promise<Bundle>;
    readonly flags?: readonly string[];
    readonly rehearsal: Rehearsal;
    readonly log: (line: string) => void;
  },
): Promise<string> {
  const { makeBundle, flags = [], rehearsal, log } = options;
  const startMs = Date.now();
  const { file, isNew } = await singleExecutable({
    bundle: await makeBundle(),
    node: process.execPath,
    flags,
    rehearsal,
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
