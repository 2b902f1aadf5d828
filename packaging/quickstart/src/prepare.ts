import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { preflight } from '@kopsctl/clouds/local/control/preflight/preflight.ts';
import { DEFAULT_IMAGE_CACHE, ensureImage } from '@kopsctl/clouds/local/control/image/image.ts';
import { prepareAssets } from '@kopsctl/packaging-assets/prepare-assets.ts';
import { publishAgents } from '@kopsctl/packaging-assets/publish.ts';
import type { Wants } from '@kopsctl/packaging-assets/wants.ts';
import { buildBinaries } from '../../binary/src/build.ts';
import { RECOMMENDED_KUBERNETES } from '@kopsctl/spec/kubernetes-versions.ts';
import { firstAvailable } from './first-available.ts';
import { installHostPackages } from './host-packages.ts';
import type { Candidate } from './wants-of.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
export const EXAMPLES_DIR = join(ROOT, 'examples');
export const ASSETS_DIR = '/var/cache/kopsctl/assets';

export interface Prepared {
  /** The folder of kopsctl and kubectl. */
  readonly binDir: string;
  readonly kopsctl: string;
  readonly kubectl: string;
  readonly examplesDir: string;
  /** Which of the candidates was prepared. */
  readonly kubernetes: string;
}

export interface PrepareOptions {
  /** Called with how many of the assets are there. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Where the assets are, for clusters that have images of their own: each cluster imports all that are there. */
  readonly assetsDir?: string;
}

/** Provides everything that local clusters need, and skips what exists. Checks the computer before it changes anything. */
export const prepare = (wants: Wants, log: (line: string) => void, options?: PrepareOptions): Promise<Prepared> =>
  prepareFirst([{ kubernetes: wants.kubernetes[0] ?? RECOMMENDED_KUBERNETES, wants }], log, options);

/** The same for the first candidate whose Kubernetes this machine can get. */
export async function prepareFirst(
  candidates: readonly [Candidate, ...Candidate[]],
  log: (line: string) => void,
  { onProgress, assetsDir = ASSETS_DIR }: PrepareOptions = {},
): Promise<Prepared> {
  const makeAssets = (wants: Wants) => prepareAssets({ out: assetsDir, wants, log, ...(onProgress && { onProgress }) });
  await preflight();
  await installHostPackages(log);
  const [binaries, , { kubernetes }] = await Promise.all([
    buildBinaries({ log }),
    ensureImage(DEFAULT_IMAGE_CACHE, log),
    firstAvailable(candidates, makeAssets, log),
  ]);
  await publishAgents({ assetsDir, binary: binaries.agents });
  const binDir = join(ROOT, 'dist');
  mkdirSync(binDir, { recursive: true });
  const kubectl = join(binDir, 'kubectl');
  rmSync(kubectl, { force: true });
  symlinkSync(join(assetsDir, 'bin', 'kubectl'), kubectl);
  return { binDir, kopsctl: binaries.kopsctl, kubectl, examplesDir: EXAMPLES_DIR, kubernetes };
}
