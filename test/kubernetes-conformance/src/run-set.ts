import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { type EndedSet, testResults } from './report.ts';
import { WORKERS } from './settings.ts';
import type { TestSet } from './test-sets.ts';

export interface SuiteRun {
  readonly programs: Readonly<Record<string, string>>;
  readonly kubectl: string;
  readonly kubeconfig: string;
  readonly out: string;
  /** Only tests whose names match. */
  readonly focus?: string;
}

/** Runs one set, each test once. Returns what became of each test. */
export async function runSet(
  { name, labels, processes }: TestSet,
  { programs, kubectl, kubeconfig, out, focus }: SuiteRun,
): Promise<EndedSet> {
  await mkdir(out, { recursive: true });
  const report = `${name.replaceAll(' ', '-')}.json`;
  await rm(join(out, report), { force: true });
  const options = [
    `--procs=${String(processes)}`,
    `--label-filter=${labels}`,
    `--output-dir=${out}`,
    `--json-report=${report}`,
    '--no-color',
    '--timeout=2h',
    ...(focus === undefined ? [] : [`--focus=${focus}`]),
  ];
  const suite = [
    `--kubeconfig=${kubeconfig}`,
    '--provider=skeleton',
    `--kubectl-path=${kubectl}`,
    '--allowed-not-ready-nodes=0',
    `--num-nodes=${String(WORKERS)}`,
    `--report-dir=${out}`,
  ];
  const startMs = performance.now();
  const { ginkgo = '', 'e2e.test': e2e = '' } = programs;
  // Its exit code says whether a test failed; the report says which.
  await execa(ginkgo, [...options, e2e, '--', ...suite], { stdio: 'inherit', reject: false });
  const seconds = (performance.now() - startMs) / 1000;
  return { name, seconds, results: testResults(await readFile(join(out, report), 'utf8')) };
}
