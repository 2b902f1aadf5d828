import { join } from 'node:path';
import { cacheKey, type CachedFolder, findCached, makeCached } from '@kopsctl/packaging-assets/cached-folder.ts';
import { buildGoModule, type GoModule, moduleFiles } from '@kopsctl/packaging-assets/go-module.ts';
import { goToolchain } from '@kopsctl/packaging-assets/go-toolchain.ts';
import { DEFAULT_CACHE, makeAssets } from '@kopsctl/packaging-assets/prepare-assets.ts';
import { kubernetesVersionVariables } from '@kopsctl/packaging-assets/programs.ts';

/** What the suite is made of. */
export interface SuitePrograms {
  /** The path of each program, by its name. */
  readonly programs: Readonly<Record<string, string>>;
  /** The folder of Kubernetes' own repository, as it was published. */
  readonly kubernetes: string;
}

/** Part of the key in the cache: to be incremented when the way of building changes what is built. */
const REVISION = '1';

/**
 * The suite of a version of Kubernetes, unchanged, and the programs of its images.
 *
 * @param aggregated whether the API server that the aggregator leads to is among them: compiling it takes minutes
 */
export async function suitePrograms(
  version: string,
  aggregated: boolean,
  log: (line: string) => void,
): Promise<SuitePrograms> {
  const go = await goToolchain(DEFAULT_CACHE, log);
  const kubernetes = kubernetesModule(version);
  const built: CachedFolder[] = [];
  for (const module of [kubernetes, ...(aggregated ? [sampleModule(version)] : [])]) {
    const made = await makeBuilt(module, async (dir, scratch) => {
      log(`${module.path} ${module.version}: compiling the conformance suite, which is done once`);
      await buildGoModule(go, module, dir, scratch);
    });
    built.push(made);
  }
  const held = ['programs/etcd-3.6', 'programs/coredns-1.15', 'programs/busybox', 'programs/pause'];
  const assets = await makeAssets({ wants: { kubernetes: [version] }, only: held, log });
  const folders = [...built, ...assets.values()];
  const programs = folders.flatMap(({ dir, files }) => files.map(({ name, file }) => [name, join(dir, file)]));
  return { programs: Object.fromEntries(programs), kubernetes: await moduleFiles(go, kubernetes) };
}

function kubernetesModule(version: string): GoModule {
  return {
    path: 'k8s.io/kubernetes',
    version: `v${version}`,
    tests: { 'e2e.test': 'test/e2e' },
    programs: {
      // In the version that the suite itself requires.
      ginkgo: 'github.com/onsi/ginkgo/v2/ginkgo',
      agnhost: 'test/images/agnhost',
      nnp: 'test/images/nonewprivs/nnp.go',
    },
    versionVariables: kubernetesVersionVariables(version),
  };
}

const sampleModule = (version: string): GoModule => ({
  path: 'k8s.io/sample-apiserver',
  version: `v0${version.replace(/^\d+/, '')}`,
  programs: { 'sample-apiserver': '.' },
});

async function makeBuilt(
  module: GoModule,
  build: (dir: string, scratch: string) => Promise<void>,
): Promise<CachedFolder> {
  const place = join(DEFAULT_CACHE, 'built', cacheKey([REVISION, JSON.stringify(module)]));
  const found = await findCached(place, 'hashes');
  if (found !== undefined) return found;
  return makeCached(place, 'hashes', async (dir, scratch) => {
    await build(dir, scratch);
    const { programs, tests = {}, version } = module;
    return [...Object.keys(programs), ...Object.keys(tests)].map((name) => ({ name, version, file: name }));
  });
}
