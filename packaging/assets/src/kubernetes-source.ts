import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';

import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { execa } from 'execa';

import { ensureHostTools } from './host-tools.ts';
import type { ProgramSource } from './program-source.ts';

/** The one version that Debian 12 has the source of. */
export const KUBERNETES_OF_DEBIAN = '1.20.2';

/** Unpacked beside the build, not installed: nothing else on the machine sees this Go or this rsync. */
const TOOL_PACKAGES = [
  'golang-1.19-go',
  'golang-1.19-src',
  'golang-github-modern-go-reflect2-dev',
  'rsync',
  'libpopt0',
  'libxxhash0',
  'liblz4-1',
  'libzstd1',
  'libssl3',
  'zlib1g',
  'libacl1',
];

const HOST_TOOLS = [
  { program: 'gcc', packageName: 'gcc' },
  // gcc only recommends it, but the kubelet is linked with the C library.
  { program: '/usr/include/stdio.h', packageName: 'libc6-dev' },
  { program: 'make', packageName: 'make' },
  { program: 'patch', packageName: 'patch' },
  { program: 'xz', packageName: 'xz-utils' },
  { program: 'jq', packageName: 'jq' },
].map((tool) => ({ ...tool, why: 'builds Kubernetes from source' }));

const SCRIPT = path.join(import.meta.dirname, 'build-kubernetes.sh');

/** Often enough to show that something is going on. */
const PROGRESS_INTERVAL_MS = 60_000;

/** Kubernetes 1.20.2 compiled from Debian's source package: about nine minutes on two cores, once. */
export function kubernetesFromDebian(): ProgramSource {
  const version = KUBERNETES_OF_DEBIAN;
  return {
    from: "Debian's source package",
    // The versions of the tools do not count: an update of Go need not cost everybody the build.
    sourcePackages: ['kubernetes'],
    isBuilt: true,
    inputs: [createHash('sha256').update(readFileSync(SCRIPT)).digest('hex')],
    isReachable: async () => true,
    async provide({ dir, scratch, apt, log, compileInTurn }) {
      await ensureHostTools(HOST_TOOLS, log);
      const downloads = path.join(scratch, 'downloads');
      const tools = path.join(scratch, 'tools');
      await apt.downloadSource('kubernetes', downloads);
      await apt.unpack(TOOL_PACKAGES, tools);
      const files = await readdir(downloads);
      const one = (pattern: RegExp): string =>
        path.join(downloads, files.find((file) => pattern.test(file)) ?? String(pattern));
      const args = [one(/\.orig\.tar\./), one(/\.debian\.tar\./), tools, path.join(scratch, 'build'), dir];
      await compileInTurn(() => compile(version, args, log));
      return version;
    },
  };
}

async function compile(version: string, args: readonly string[], log: (line: string) => void): Promise<void> {
  log(`kubernetes ${version}: compiling, which takes about 9 minutes on 2 cores and is done once`);
  const startMs = Date.now();
  const progress = setInterval(() => {
    log(`kubernetes ${version}: compiling for ${String(Math.round((Date.now() - startMs) / 60_000))} min`);
  }, PROGRESS_INTERVAL_MS);
  const build = await execa('nice', ['-n', '5', SCRIPT, version, ...args], { reject: false, all: true }).finally(() =>
    clearInterval(progress),
  );
  if (!build.failed) return;
  throw new ActionableError({
    what: `build Kubernetes ${version}`,
    why: build.all.split('\n').slice(-15).join('\n'),
    next: 'see the last lines above; disk space (5 GB under the cache folder) and memory (3 GB) are the usual causes',
  });
}
