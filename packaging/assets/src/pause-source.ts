import path from 'node:path';

import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { execa } from 'execa';

import { type GoModule, moduleFiles } from './go-module.ts';
import { goToolchain } from './go-toolchain.ts';
import { ensureHostTools } from './host-tools.ts';
import type { ProgramSource } from './program-source.ts';

/** Its pause is 3.10.2, which differs from 3.10.1 on Windows alone (build/pause/CHANGELOG.md). */
const MODULE: GoModule = { path: 'k8s.io/kubernetes', version: 'v1.36.3', programs: {} };
export const PAUSE_VERSION = '3.10.1';

const HOST_TOOLS = [
  { program: 'gcc', packageName: 'gcc' },
  { program: '/usr/include/stdio.h', packageName: 'libc6-dev' },
].map((tool) => ({ ...tool, why: 'compiles pause' }));

/** Upstream's pause, one file in C, compiled as its own Makefile does (build/pause/Makefile). */
export function pauseFromKubernetes(): ProgramSource {
  return {
    from: `the published Go module ${MODULE.path}`,
    isBuilt: true,
    inputs: [MODULE.version, PAUSE_VERSION],
    isReachable: async () => true,
    async provide({ dir, cacheDir, log }) {
      await ensureHostTools(HOST_TOOLS, log);
      const source = path.join(
        await moduleFiles(await goToolchain(cacheDir, log), MODULE),
        'build/pause/linux/pause.c',
      );
      const flags = ['-Os', '-Wall', '-Werror', '-static', '-s', `-DVERSION=v${PAUSE_VERSION}`];
      const { failed, all } = await execa('gcc', [...flags, '-o', path.join(dir, 'pause'), source], {
        reject: false,
        all: true,
      });
      if (!failed) return PAUSE_VERSION;
      throw new ActionableError({ what: `compile ${source}`, why: all, next: 'see the lines above' });
    },
  };
}
