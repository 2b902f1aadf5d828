import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { ifThere } from '@kopsctl/files/if-there.ts';
import { execa } from 'execa';

import type { Bundle } from './bundle.ts';
import { serveRehearsalCloud } from './rehearsal-cloud.ts';
import { injectBlob } from './inject-blob.ts';
import type { Rehearsal } from './rehearsals.ts';
import { seaConfig } from './sea-config.ts';

export interface SingleExecutable {
  readonly file: string;
  readonly isNew: boolean;
}

/**
 * Joins a bundle and Node into one file that runs on a machine without Node. Skipped if the file was built from the
 * same bundle, Node and settings. The file is replaced atomically, so a program started meanwhile is complete.
 */
export async function singleExecutable(options: {
  readonly bundle: Bundle;
  readonly node: string;
  readonly rehearsal: Rehearsal;
  /** V8 flags, fixed at build time: the code cache is valid only with the flags under which it was created. */
  readonly flags?: readonly string[];
  /** The folder for intermediate results, kept between builds. */
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
    ...seaConfig({ flags, useCodeCache: true }),
  };
  const nodeVersion = process.version;
  const loaders = await Promise.all([LOADER, MAKE_ARCHIVE, REHEARSAL_CLOUD].map((file) => readFile(file, 'utf8')));
  const key = createHash('sha256')
    .update(JSON.stringify([bundle.hash, nodeVersion, process.arch, config, loaders, rehearsal]))
    .digest('hex');
  const keyFile = path.join(workDir, `${name}.key`);
  if ((await ifThere(readFile(keyFile, 'utf8'))) === key && existsSync(output)) {
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
    await injectBlob(making, config.output);
    await chmod(making, 0o755);
    await rename(making, output);
  } catch (cause) {
    throw new ActionableError({
      what: `build ${output}`,
      why: messageOf(cause),
      next: `check that ${path.dirname(output)} has 400 MB of free space, then build again`,
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

/** Runs with the Node that becomes the base and with the same flags: V8 rejects any other code cache. */
async function makeArchive(
  job: ArchiveJob,
  rehearsal: Rehearsal,
  node: string,
  flags: readonly string[],
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kopsctl-build-'));
  try {
    await using cloud = await serveRehearsalCloud(rehearsal.bucket ?? {});
    const here = (text: string) => text.replaceAll('@{folder}', folder).replaceAll('@{cloud}', cloud.url);
    for (const [file, text] of Object.entries(rehearsal.files)) {
      await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
      await writeFile(path.join(folder, file), here(text));
    }
    const env = Object.fromEntries(Object.entries(rehearsal.env ?? {}).map(([name, value]) => [name, here(value)]));
    const rehearsals = rehearsal.commands.map((command) => command.map(here));
    await writeFile(path.join(folder, 'job.json'), JSON.stringify({ ...job, rehearsals }));
    await execa(node, [...flags, MAKE_ARCHIVE, 'job.json'], {
      cwd: folder,
      // A clean environment, without credentials or settings of the user who builds.
      extendEnv: false,
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...env },
      stdout: 'ignore',
      timeout: REHEARSED_WITHIN_MS,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const REHEARSED_WITHIN_MS = 120_000;

export const LOADER = path.join(import.meta.dirname, 'sea-loader.cjs');
const MAKE_ARCHIVE = path.join(import.meta.dirname, 'make-archive.cjs');
const REHEARSAL_CLOUD = path.join(import.meta.dirname, 'rehearsal-cloud.ts');

/**
 * Without symbols the file is 14 MB smaller. Stripping must come before the injection: a program stripped after it
 * crashes.
 */
async function strippedNode(node: string, workDir: string, version: string): Promise<string> {
  const stripped = path.join(workDir, `node-${version}-stripped`);
  if (existsSync(stripped)) return stripped;
  // Both executables can be built at the same time, each with its own strip; both results are equal.
  const making = `${stripped}.${randomUUID()}`;
  try {
    const { failed, code, stderr } = await execa('strip', ['-o', making, node], { reject: false });
    // Without binutils the file is larger but works as well.
    if (code === 'ENOENT') return node;
    if (failed) throw new Error(`strip ${node}: ${stderr}`);
    await rename(making, stripped);
    return stripped;
  } finally {
    await rm(making, { force: true });
  }
}
