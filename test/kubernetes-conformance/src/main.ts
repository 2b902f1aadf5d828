import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { AssetIndex } from '@kopsctl/assets/asset-index.ts';
import { parseAssetIndex } from '@kopsctl/assets/parse-asset-index.ts';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { ifThere } from '@kopsctl/files/if-there.ts';
import { DEFAULT_CACHE } from '@kopsctl/packaging-assets/prepare-assets.ts';
import { publishImages } from '@kopsctl/packaging-assets/publish.ts';
import { prepare } from '@kopsctl/quickstart/prepare.ts';
import { RECOMMENDED_KUBERNETES } from '@kopsctl/spec/kubernetes-versions.ts';
import { execa } from 'execa';
import { testImages } from './make-images.ts';
import { suitePrograms } from './programs.ts';
import { conformancePage, type EndedSet, lastResults } from './report.ts';
import { runSet, type SuiteRun } from './run-set.ts';
import { shortfalls } from './shortfalls.ts';
import { focusOn, SUBSET } from './subset.ts';
import { AGGREGATOR_IMAGES, TEST_IMAGES, type TestImage } from './test-images.ts';
import { AGAIN, SETS } from './test-sets.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SPEC = join(import.meta.dirname, '../cluster.yaml');
const CLUSTER = 'conformance.local.test';
const OUT = join(ROOT, 'dist/conformance');
/** Of its own: every cluster imports all images of its folder, and those of the suite are large. */
const ASSETS_DIR = join(DEFAULT_CACHE, 'conformance-assets');
const INDEX = join(ASSETS_DIR, 'index.json');

/** More failures than this are not an accident. */
const MOST_AGAIN = 3;

const log = (line: string): void => void process.stderr.write(`${line}\n`);

/**
 * Runs the conformance suite of Kubernetes on a new cluster of local machines, and writes docs/conformance.md. With
 * `--subset` only the tests of subset.ts are run, with `--focus TEXT` those whose names match.
 */
async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      focus: { type: 'string' },
      subset: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
    },
  });
  const kubernetes = RECOMMENDED_KUBERNETES;
  const { kopsctl, kubectl } = await prepare({ kubernetes: [kubernetes] }, log, { assetsDir: ASSETS_DIR });
  const images = values.subset ? TEST_IMAGES : [...TEST_IMAGES, ...AGGREGATOR_IMAGES];
  const suite = await suitePrograms(kubernetes, !values.subset, log);
  await publishImages(ASSETS_DIR, await testImages(images, suite, log), 'amd64');

  const folder = await mkdtemp(join(tmpdir(), 'kopsctl-conformance-'));
  const kubeconfig = join(folder, 'kubeconfig');
  const env = {
    KOPS_STATE_STORE: `file://${folder}/state`,
    KUBECONFIG: kubeconfig,
    KOPSCTL_LOCAL_DIR: join(folder, 'local'),
    KOPSCTL_ASSETS: ASSETS_DIR,
    KOPS_CLUSTER_NAME: CLUSTER,
  };
  try {
    await execa(kopsctl, ['apply', '-f', SPEC, '--yes'], { env, stdio: 'inherit' });
    const sets: EndedSet[] = [];
    const focus = values.subset ? focusOn(SUBSET) : values.focus;
    const run = { programs: suite.programs, kubectl, kubeconfig, out: OUT, ...(focus === undefined ? {} : { focus }) };
    for (const set of SETS) sets.push(await runSet(set, run));
    if (values.subset) sets.push(...(await failuresAgain(sets, run)));
    const runtime = ['get', 'nodes', '-o', 'jsonpath={.items[0].status.nodeInfo.containerRuntimeVersion}'];
    const { stdout: containerd } = await execa(kubectl, runtime, { env });
    await writePage(sets, {
      kubernetes,
      containerd: containerd.replace('containerd://', ''),
      images,
      madeHere: madeHere(parseAssetIndex(await readFile(INDEX, 'utf8'), INDEX)),
      only: onlyOf(values),
    });
    const results = lastResults(sets);
    const asked = values.subset ? 'subset' : values.focus === undefined ? 'all' : 'focus';
    const short = shortfalls(
      asked,
      results.map(({ name }) => name),
    );
    for (const one of short) log(one);
    return short.length === 0 && results.every(({ failure }) => failure === undefined) ? 0 : 1;
  } finally {
    if (!values.keep) {
      await execa(kopsctl, ['delete', 'cluster', '--yes'], { env, stdio: 'inherit', reject: false });
      await rm(folder, { recursive: true, force: true });
    } else log(`kept: KUBECONFIG=${kubeconfig} KOPSCTL_LOCAL_DIR=${env.KOPSCTL_LOCAL_DIR}`);
  }
}

/**
 * The tests of the subset that failed, once more and one at a time: their limits are made for larger machines than the two
 * processors that twelve of them share here. The whole suite repeats none.
 */
async function failuresAgain(sets: readonly EndedSet[], run: SuiteRun): Promise<readonly EndedSet[]> {
  const failed = sets.flatMap(({ results }) => results).filter(({ failure }) => failure !== undefined);
  if (failed.length === 0 || failed.length > MOST_AGAIN) return [];
  for (const { name, failure = '' } of failed) log(`failed, and runs again: ${name}: ${failure}`);
  return [await runSet(AGAIN, { ...run, focus: focusOn(failed.map(({ name }) => name)) })];
}

/** An image of its publisher has a digest there. */
const madeHere = ({ assets }: AssetIndex): readonly string[] =>
  assets.flatMap(({ image, digest }) => (image === undefined || digest !== undefined ? [] : [image])).toSorted();

interface RunFacts {
  readonly kubernetes: string;
  readonly containerd: string;
  readonly images: readonly TestImage[];
  /** All images of the prepared assets that were made here, those of the suite among them. */
  readonly madeHere: readonly string[];
  readonly only: string | undefined;
}

function onlyOf({ subset, focus }: { readonly subset: boolean; readonly focus?: string }): string | undefined {
  if (subset) return 'the tests of test/kubernetes-conformance/src/subset.ts';
  return focus === undefined ? undefined : `tests that match \`${focus}\``;
}

/** Marked where files differ from it, but for this page, which a run before may have written. */
async function commitOf(): Promise<string> {
  const tracked = ['--untracked-files=no', '--', '.', ':!docs/conformance.md'];
  const [{ stdout: commit }, { stdout: changed }] = await Promise.all([
    execa('git', ['describe', '--always'], { cwd: ROOT }),
    execa('git', ['status', '--porcelain', ...tracked], { cwd: ROOT }),
  ]);
  return changed === '' ? commit : `${commit}-dirty`;
}

/** A run of some tests is not what the page is about: it goes beside the reports. */
async function writePage(
  sets: readonly EndedSet[],
  { only, images, madeHere: made, ...versions }: RunFacts,
): Promise<void> {
  const commit = await commitOf();
  const ofSuite = images.map(({ reference }) => reference);
  const file = only === undefined ? join(ROOT, 'docs/conformance.md') : join(OUT, 'conformance.md');
  const facts = {
    ...versions,
    commit,
    date: new Date(),
    sets: SETS,
    images: ofSuite,
    clusterImages: made.filter((reference) => !ofSuite.includes(reference)),
    ...(only === undefined ? {} : { only }),
  };
  const page = conformancePage(sets, facts, await ifThere(readFile(file, 'utf8')));
  await writeFile(file, page);
  log(`${file}\n${(await readFile(file, 'utf8')).split('\n').slice(2, 14).join('\n')}`);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  log(`Error: ${messageOf(error)}`);
  if (error instanceof ActionableError) log(`Next:  ${error.next}`);
  process.exitCode = 1;
}
