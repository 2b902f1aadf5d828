import { copyFile, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';

import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { execa } from 'execa';

import { aptRoot } from './apt-root.ts';
import { otherSuite } from './apt-sources.ts';
import { ensureHostTools } from './host-tools.ts';
import type { ProgramSource } from './program-source.ts';

const SUITE = 'trixie';

const HOST_TOOLS = [
  { program: 'gcc', packageName: 'gcc' },
  { program: '/usr/include/stdio.h', packageName: 'libc6-dev' },
  { program: '/usr/include/linux/version.h', packageName: 'linux-libc-dev' },
  { program: 'make', packageName: 'make' },
  { program: 'bzip2', packageName: 'bzip2' },
].map((tool) => ({ ...tool, why: 'builds busybox from source' }));

/**
 * Upstream's busybox, from the unchanged source in Debian's archive, without Debian's patches: these drop variables such
 * as `data-1` from the environment, and its `wget -T` crashes. Dynamic: a static glibc needs its libraries to look up a
 * name.
 */
export function busyboxFromDebian(): ProgramSource {
  return {
    from: "upstream's source in Debian",
    isBuilt: true,
    inputs: [SUITE, '1'],
    isReachable: async () => true,
    async provide({ dir, scratch, log, compileInTurn }) {
      await ensureHostTools(HOST_TOOLS, log);
      const apt = aptRoot(path.join(scratch, 'apt'), (sources) => otherSuite(sources, SUITE, 'deb-src'));
      await apt.update();
      await apt.downloadSource('busybox', scratch);
      const archive = (await readdir(scratch)).find((name) => /\.orig\.tar\.[a-z0-9]+$/.test(name));
      const version = /_(\d+\.\d+\.\d+)/.exec(archive ?? '')?.[1];
      if (archive === undefined || version === undefined) throw new Error(`no source of busybox in ${scratch}`);
      const source = path.join(scratch, 'source');
      await mkdir(source);
      await execa('tar', ['-xf', path.join(scratch, archive), '-C', source, '--strip-components=1']);
      await compileInTurn(() => compile(source, version));
      await copyFile(path.join(source, 'busybox'), path.join(dir, 'busybox'));
      return version;
    },
  };
}

async function compile(source: string, version: string): Promise<void> {
  // tc.c needs definitions of a queueing discipline (CBQ) that newer kernel headers no longer have.
  const script = `make defconfig && sed -i 's/^CONFIG_TC=y/# CONFIG_TC is not set/' .config && make -j2 busybox`;
  const { failed, all } = await execa('nice', ['-n', '5', 'sh', '-c', script], {
    cwd: source,
    reject: false,
    all: true,
    env: { KCONFIG_NOTIMESTAMP: '1', SOURCE_DATE_EPOCH: '0' },
  });
  if (!failed) return;
  throw new ActionableError({
    what: `build busybox ${version}`,
    why: all.split('\n').slice(-15).join('\n'),
    next: 'see the last lines above',
  });
}
