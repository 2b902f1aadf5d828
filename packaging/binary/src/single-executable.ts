import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { ActionableError, codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { execa } from 'execa';

import type { Bundle } from './bundle.ts';
import type { Rehearsal } from './rehearsals.ts';

export interface SingleExecutable {
  readonly file: string;
  readonly isNew: boolean;
}

/** Marks the place in Node's binary where a script may be injected; part of Node's documentation, not a secret. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/**
 * Joins a bundle and Node into one file that runs on a machine without Node. Skipped when the file was made from the
 * same bundle, Node and settings. The file is replaced in one step, so a program started meanwhile is whole.
 */
export async function singleExecutable(options: {
  readonly bundle: Bundle;
  readonly node: string;
  readonly rehearsal: Rehearsal;
  /** V8's flags, given for good: the code cache is valid only under the flags that it was made with. */
  readonly flags?: readonly string[];
  /** Intermediate results; kept between builds. */
  readonly workDir: string;
  readonly output: string;
}): Promise<SingleExecutable> {
  const { output, workDir, flags = [], rehearsal } = options;
  const name = path.basename(output);
  const { bundle } = options;
  const archive = path.join(workDir, `${name}.archive`);
  const index = path.join(workDir, `${name}.index.json`);
  const config = {
    main: LOADER,
    assets: { archive, 'index.json': index },
    output: path.join(workDir, `${name}.blob`),
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    useSnapshot: false,
    // Otherwise NODE_OPTIONS in the environment of a root service could load foreign code.
    execArgvExtension: 'none',
    execArgv: flags,
  };
  const nodeVersion = process.version;
  const loaders = await Promise.all([LOADER, MAKE_ARCHIVE].map((file) => readFile(file, 'utf8')));
  const key = createHash('sha256')
    .update(JSON.stringify([bundle.hash, nodeVersion, process.arch, config, loaders, rehearsal]))
    .digest('hex');
  const keyFile = path.join(workDir, `${name}.key`);
  if ((await readIfThere(keyFile)) === key && existsSync(output)) {
    return { file: output, isNew: false };
  }

  await mkdir(workDir, { recursive: true });
  await rm(keyFile, { force: true });
  const base = await strippedNode(options.node, workDir, nodeVersion);
  const configFile = path.join(workDir, `${name}.sea.json`);
  await writeFile(configFile, JSON.stringify(config));
  const making = `${output}.new`;
  try {
    const { dir, chunks } = bundle;
    await makeArchive({ dir, chunks, archive, index }, rehearsal, options.node, flags);
    await execa(options.node, [...flags, '--experimental-sea-config', configFile], { env: { NODE_OPTIONS: '' } });
    await copyFile(base, making);
    await inject(making, config.output);
    await chmod(making, 0o755);
    await rename(making, output);
  } catch (cause) {
    throw new ActionableError({
      what: `build ${output}`,
      why: messageOf(cause),
      next: `check the free space of ${path.dirname(output)} (400 MB are needed), then build again`,
      cause,
    });
  } finally {
    await rm(making, { force: true });
    await rm(config.output, { force: true });
    await rm(archive, { force: true });
  }
  await writeFile(keyFile, key);
  return { file: output, isNew: true };
}

interface ArchiveJob {
  readonly dir: string;
  readonly chunks: readonly string[];
  readonly archive: string;
  readonly index: string;
}

/** By the same Node that becomes the base, and under the same flags: V8 takes the code cache of no other. */
async function makeArchive(
  job: ArchiveJob,
  rehearsal: Rehearsal,
  node: string,
  flags: readonly string[],
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kopsctl-build-'));
  try {
    const here = (text: string) => text.replaceAll('@{folder}', folder);
    for (const [file, text] of Object.entries(rehearsal.files)) {
      await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
      await writeFile(path.join(folder, file), here(text));
    }
    const rehearsals = rehearsal.commands.map((command) => command.map(here));
    await writeFile(path.join(folder, 'job.json'), JSON.stringify({ ...job, rehearsals }));
    await execa(node, [...flags, MAKE_ARCHIVE, 'job.json'], {
      cwd: folder,
      // Nothing of the builder's own: no credentials, and no other settings than those of a program just installed.
      extendEnv: false,
      env: { PATH: process.env['PATH'] ?? '', HOME: folder },
      stdout: 'ignore',
      timeout: REHEARSED_WITHIN_MS,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const REHEARSED_WITHIN_MS = 120_000;

const LOADER = path.join(import.meta.dirname, 'sea-loader.cjs');
const MAKE_ARCHIVE = path.join(import.meta.dirname, 'make-archive.cjs');

/** Without symbols the file is 14 MB smaller. Must come before the injection: stripped after it, the program crashes. */
async function strippedNode(node: string, workDir: string, version: string): Promise<string> {
  const stripped = path.join(workDir, `node-${version}-stripped`);
  if (existsSync(stripped)) return stripped;
  // Both executables may be built at once, each with its own strip; either result serves.
  const making = `${stripped}.${randomUUID()}`;
  try {
    const { failed, code, stderr } = await execa('strip', ['-o', making, node], { reject: false });
    // A machine without binutils builds a larger file that works as well.
    if (code === 'ENOENT') return node;
    if (failed) throw new Error(`strip ${node}: ${stderr}`);
    await rename(making, stripped);
    return stripped;
  } finally {
    await rm(making, { force: true });
  }
}

/** Runs postject's own command, which prints harmless warnings about section names: they are shown only when it fails. */
async function inject(file: string, blob: string): Promise<void> {
  const command = createRequire(import.meta.url).resolve('postject');
  await execa(process.execPath, [
    path.join(path.dirname(command), 'cli.js'),
    file,
    'NODE_SEA_BLOB',
    blob,
    '--sentinel-fuse',
    FUSE,
  ]);
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
