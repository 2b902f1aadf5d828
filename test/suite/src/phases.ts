import { mkdir, readFile, rm } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { ifThere } from '@kopsctl/files/if-there.ts';
import { execa } from 'execa';
import { type Tally, tally } from './tally.ts';
import type { EndedPhase } from './verdict.ts';

export const REPOSITORY = join(import.meta.dirname, '../../..');
const RESULTS = join(REPOSITORY, 'dist/test-results');

export interface Phase {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** The projects of vitest.config.ts that it runs: they are tallied. */
  readonly projects: readonly string[];
  /** Without it the rest would say nothing. */
  readonly isNeeded?: true;
  /** It watches the clock, so it comes before what runs beside it. */
  readonly isUrgent?: boolean;
  /** It has what the phases of its step and of later ones leave of the processors, and is waited for at the end. */
  readonly isUnhurried?: boolean;
}

const NODE = process.execPath;

/**
 * In this order: what is quick, what others need, and what takes long. The phases of one step run at the same time: peers
 * are mostly waited for, which leaves the processors to the check, and timed tests mostly wait for the clocks of their peers.
 * From the faults on, a sixth of the processors would have nothing to do without what is unhurried.
 */
export const STEPS: readonly (readonly Phase[])[] = [
  [
    { name: 'check', command: [NODE, 'test/suite/src/check.ts'], projects: [], isNeeded: true },
    { name: 'peers', command: [NODE, 'test/peers/src/main.ts'], projects: [], isNeeded: true },
  ],
  [vitest('integration', 'integration-with-mocks')],
  [vitest('faults'), { ...vitest('timed'), isUrgent: true }, { ...vitest('unhurried'), isUnhurried: true }],
  [vitest('vm')],
  [vitest('vm-alone')],
  [{ name: 'conformance', command: [NODE, 'test/kubernetes-conformance/src/main.ts', '--subset'], projects: [] }],
];

function vitest(name: string, ...others: readonly string[]): Phase {
  return { name, command: [NODE, 'node_modules/vitest/vitest.mjs', 'run'], projects: [name, ...others] };
}

/** Only root may raise the priority of a process. */
const URGENT = process.getuid?.() === 0 ? ['nice', '--adjustment=-10'] : [];

/**
 * A session has its share of the processors, however nice its processes are (sched(7), "The autogroup feature"). One of its own
 * that is nice itself takes only what all others leave.
 */
const ONLY_WHAT_IS_LEFT = '{ echo 19 > /proc/self/autogroup; } 2>/dev/null; exec nice --adjustment=19 "$@"';
const UNHURRIED = ['setsid', 'sh', '-c', ONLY_WHAT_IS_LEFT, 'sh'];

/** Runs one phase with its output shown as it comes. */
export async function runPhase(phase: Phase): Promise<EndedPhase> {
  const { name, command, projects, isUrgent = false, isUnhurried = false } = phase;
  const startMs = performance.now();
  const report = join(RESULTS, `${name.replaceAll(' ', '-')}.json`);
  await mkdir(RESULTS, { recursive: true });
  await rm(report, { force: true });
  const [program = '', ...args] = [...(isUrgent ? URGENT : []), ...(isUnhurried ? UNHURRIED : []), ...command];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const selected = projects.flatMap((project) => ['--project', project]);
  const { exitCode = 1 } = await execa(
    program,
    [...args, ...(projects.length > 0 ? [...selected, ...reporters] : [])],
    {
      cwd: REPOSITORY,
      stdio: 'inherit',
      reject: false,
    },
  );
  const counted = projects.length > 0 ? await readTally(report) : undefined;
  const isReported = projects.length === 0 || counted !== undefined;
  return {
    name,
    seconds: (performance.now() - startMs) / 1000,
    // A phase that writes no report of its tests has not run them.
    exitCode: exitCode === 0 && !isReported ? 1 : exitCode,
    load: loadavg()[0] ?? 0,
    tally: counted,
  };
}

async function readTally(report: string): Promise<Tally | undefined> {
  const text = await ifThere(readFile(report, 'utf8'));
  return text === undefined ? undefined : tally(JSON.parse(text), REPOSITORY);
}
