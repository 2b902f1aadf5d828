import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { execa } from 'execa';

import type { MadeFile } from './cached-folder.ts';
import { sha256OfFile } from './cached-folder.ts';
import { ensureHostTools } from './host-tools.ts';
import type { Arch, Recipe } from './recipe.ts';

/** The one version that Debian 12 has the source of. */
export const KUBERNETES_VERSION = '1.20.2';

const PROGRAMS = ['kube-apiserver', 'kube-controller-manager', 'kube-proxy', 'kube-scheduler', 'kubectl', 'kubelet'];

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

export const KUBERNETES_PACKAGES: readonly string[] = TOOL_PACKAGES;
export const KUBERNETES_SOURCES: readonly string[] = ['kubernetes'];

const RELEASES = 'https://dl.k8s.io/release';

/** Long enough for a slow line to answer; where there is no way out, the build should not wait for it. */
const PROBE_TIMEOUT_MS = 3000;

/** Often enough to show that something is going on. */
const PROGRESS_INTERVAL_MS = 60_000;

/** Kubernetes as it was released, hashes verified. */
export function releasedKubernetes(arch: Arch): Recipe {
  return {
    thing: 'kubernetes',
    version: KUBERNETES_VERSION,
    from: 'its release location',
    packages: [],
    revision: `released-${arch}`,
    async make({ dir }) {
      return Promise.all(
        PROGRAMS.map(async (program): Promise<MadeFile> => {
          const url = programUrl(program, arch);
          const wanted = (await fetchText(`${url}.sha256`)).trim().split(/\s/)[0] ?? '';
          const file = path.join(dir, program);
          await download(url, file);
          const found = await sha256OfFile(file);
          if (found !== wanted) {
            throw new ActionableError({
              what: `download ${url}`,
              why: `its SHA-256 is ${found}, but ${wanted} is published`,
              next: 'run the same command again; if it stays, something on the way changes downloads',
            });
          }
          await chmod(file, 0o755);
          return { name: program, version: KUBERNETES_VERSION, file: program, urls: [url] };
        }),
      );
    },
  };
}

/** Kubernetes compiled from Debian's source package: about nine minutes on two cores, once. */
export async function builtKubernetes(arch: Arch): Promise<Recipe> {
  const script = path.join(import.meta.dirname, 'build-kubernetes.sh');
  return {
    thing: 'kubernetes',
    version: KUBERNETES_VERSION,
    from: "Debian's source package",
    // The compiler's own version does not count: an update of Go need not cost everybody the build.
    packages: [],
    sources: KUBERNETES_SOURCES,
    isBuilt: true,
    revision: createHash('sha256')
      .update(await readFile(script))
      .update(arch)
      .digest('hex'),
    async make({ dir, scratch, apt, log }) {
      await ensureHostTools(HOST_TOOLS, log);
      const downloads = path.join(scratch, 'downloads');
      const tools = path.join(scratch, 'tools');
      await apt.downloadSource('kubernetes', downloads);
      await apt.unpack(TOOL_PACKAGES, tools);
      const files = await readdir(downloads);
      const one = (pattern: RegExp): string =>
        path.join(downloads, files.find((file) => pattern.test(file)) ?? String(pattern));
      log(`kubernetes ${KUBERNETES_VERSION}: compiling, which takes about 9 minutes on 2 cores and is done once`);
      const args = [one(/\.orig\.tar\./), one(/\.debian\.tar\./), tools, path.join(scratch, 'build'), dir];
      const startMs = Date.now();
      const progress = setInterval(() => {
        log(
          `kubernetes ${KUBERNETES_VERSION}: compiling since ${String(Math.round((Date.now() - startMs) / 60_000))} min`,
        );
      }, PROGRESS_INTERVAL_MS);
      const build = await execa('nice', ['-n', '5', script, KUBERNETES_VERSION, ...args], {
        reject: false,
        all: true,
      }).finally(() => clearInterval(progress));
      if (build.failed) {
        throw new ActionableError({
          what: `build Kubernetes ${KUBERNETES_VERSION}`,
          why: build.all.split('\n').slice(-15).join('\n'),
          next: 'see the last lines above; disk space (5 GB under the cache folder) and memory (3 GB) are the usual causes',
        });
      }
      return PROGRAMS.map((program) => ({ name: program, version: KUBERNETES_VERSION, file: program }));
    },
  };
}

/** Whether the release location answers at all from here. */
export async function isReleaseReachable(arch: Arch): Promise<boolean> {
  try {
    const answer = await fetch(programUrl('kubelet', arch), {
      method: 'HEAD',
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    return answer.ok;
  } catch {
    // No name, no route, no answer in time: all mean "not from here", and the build takes its place.
    return false;
  }
}

function programUrl(program: string, arch: Arch): string {
  return `${RELEASES}/v${KUBERNETES_VERSION}/bin/linux/${arch}/${program}`;
}

async function fetchText(url: string): Promise<string> {
  return (await answerOf(url)).text();
}

async function download(url: string, file: string): Promise<void> {
  const { body } = await answerOf(url);
  if (body === null) throw new Error(`${url} answered without a body`);
  await pipeline(Readable.fromWeb(body), createWriteStream(file));
}

async function answerOf(url: string): Promise<Response> {
  let why: string;
  try {
    const answer = await fetch(url);
    if (answer.ok) return answer;
    why = `it answered ${String(answer.status)} ${answer.statusText}`;
  } catch (error) {
    why = messageOf(error);
  }
  throw new ActionableError({ what: `download ${url}`, why, next: 'run the same command again' });
}
