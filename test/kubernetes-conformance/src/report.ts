import * as z from 'zod';
import { runsTable, type WholeRun } from './runs-table.ts';
import { SETTINGS, suiteSettings } from './settings.ts';
import type { TestSet } from './test-sets.ts';

/** What became of one test. */
export interface TestResult {
  readonly name: string;
  readonly seconds: number;
  /** Undefined if it passed. */
  readonly failure?: string;
}

/** The part of ginkgo's JSON report that is read here (onsi/ginkgo/v2, types.Report). */
const reportSchema = z.array(
  z.object({
    SpecReports: z
      .array(
        z.object({
          ContainerHierarchyTexts: z.array(z.string()).nullable(),
          LeafNodeType: z.string(),
          LeafNodeText: z.string(),
          State: z.string(),
          /** Nanoseconds. */
          RunTime: z.number(),
          Failure: z.object({ Message: z.string() }).optional(),
        }),
      )
      .nullable(),
  }),
);

const NOT_RUN = new Set(['skipped', 'pending']);

/** The tests of a report that ran. What is set up before and after them counts only where it failed. */
export function testResults(json: string): readonly TestResult[] {
  return reportSchema
    .parse(JSON.parse(json))
    .flatMap(({ SpecReports }) => SpecReports ?? [])
    .filter(({ State, LeafNodeType }) => !NOT_RUN.has(State) && (LeafNodeType === 'It' || State !== 'passed'))
    .map(({ ContainerHierarchyTexts, LeafNodeType, LeafNodeText, State, RunTime, Failure }) => ({
      name: [...(ContainerHierarchyTexts ?? []), LeafNodeText === '' ? LeafNodeType : LeafNodeText].join(' '),
      seconds: RunTime / 1e9,
      ...(State === 'passed' ? {} : { failure: Failure?.Message ?? State }),
    }));
}

/** One set of the suite: the tests that may run side by side, or the tests that may not. */
export interface EndedSet {
  readonly name: string;
  readonly seconds: number;
  readonly results: readonly TestResult[];
}

/** What became of each test in the last set in which it ran. */
export function lastResults(sets: readonly EndedSet[]): readonly TestResult[] {
  return [...new Map(sets.flatMap(({ results }) => results).map((result) => [result.name, result])).values()];
}

export interface ReportFacts {
  readonly kubernetes: string;
  readonly containerd: string;
  readonly commit: string;
  readonly date: Date;
  /** How each set is run. */
  readonly sets: readonly Pick<TestSet, 'name' | 'processes'>[];
  /** Which tests were run, if not all. Completes "Only … were run." */
  readonly only?: string;
  /** What was made here in place of the images that the suite asks for. */
  readonly images: readonly string[];
  /** What was made here in place of the images that the cluster itself runs. */
  readonly clusterImages: readonly string[];
}

/** @param former the page as it was, whose rows of earlier runs are kept; docs/conformance.md */
export function conformancePage(sets: readonly EndedSet[], facts: ReportFacts, former = ''): string {
  const all = sets.flatMap(({ results }) => results);
  const failed = all.filter(({ failure }) => failure !== undefined);
  const rows = sets.map(({ name, seconds, results }) => {
    const passed = results.filter(({ failure }) => failure === undefined).length;
    return `| ${name} | ${String(results.length)} | ${String(passed)} | ${String(results.length - passed)} | ${minutes(seconds)} |`;
  });
  const failures = failed.map(({ name, failure = '' }) => `- ${name}: ${firstLine(failure)}`);
  return [
    '# Conformance',
    '',
    `What \`npm run conformance\` wrote on ${facts.date.toISOString().slice(0, 10)} at ${facts.commit}: Kubernetes' own conformance`,
    `suite of ${facts.kubernetes}, unchanged, on one control plane and two workers on one computer (containerd ${facts.containerd}).`,
    ...(facts.only === undefined ? [] : ['', `Only ${facts.only} were run.`]),
    '',
    '| set | tests | passed | failed | time |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
    ...(failures.length === 0 ? ['None failed, and none was repeated.'] : ['Failed:', '', ...failures]),
    '',
    ...(facts.only === undefined ? ['## Whole runs', '', ...runsTable(runOf(sets, facts), former), ''] : []),
    '## Settings',
    '',
    "The cluster is the quickstart's (`examples/quickstart.yaml`), with these differences:",
    '',
    ...SETTINGS.map((setting) => `- ${setting}`),
    '',
    'The suite itself runs with:',
    '',
    ...suiteSettings(facts.sets).map((setting) => `- ${setting}`),
    '',
    '## Stand-ins',
    '',
    'The machines reach no registry, so these images are made from Debian packages and published Go modules under the names that',
    'the suite asks for (`test/kubernetes-conformance/src/test-images.ts`):',
    '',
    ...facts.images.map(listed),
    '',
    ...(facts.clusterImages.length === 0
      ? ['The images of the cluster itself are those of their publishers.']
      : [
          'So are those of the cluster itself (`packaging/assets/src/images.ts`):',
          '',
          ...facts.clusterImages.map(listed),
        ]),
    '',
  ].join('\n');
}

function runOf(sets: readonly EndedSet[], { date, commit }: ReportFacts): WholeRun {
  const results = lastResults(sets);
  return {
    date: date.toISOString().slice(0, 10),
    commit,
    passed: results.filter(({ failure }) => failure === undefined).length,
    tests: results.length,
    minutes: sets.reduce((sum, { seconds }) => sum + seconds, 0) / 60,
  };
}

const listed = (image: string): string => `- \`${image}\``;
const minutes = (seconds: number): string => `${(seconds / 60).toFixed(1)} min`;
const firstLine = (text: string): string => text.trim().split('\n')[0] ?? '';
