import { execa } from 'execa';
import { missingRecordings } from '@kopsctl/test-conformance/recorded-cases.ts';
import { isLong } from './long.ts';
import { type Phase, REPOSITORY, runPhase, STEPS } from './phases.ts';
import { writeResults } from './results-page.ts';
import { againPhase } from './run-again.ts';
import { type EndedPhase, verdict } from './verdict.ts';

/** Everything there is to test, one phase after another; what has failed does not keep the later ones from being tried. */
async function main(): Promise<number> {
  const startMs = performance.now();
  const ended: EndedPhase[] = [];
  const unhurried: Promise<EndedPhase>[] = [];
  for (const step of STEPS) {
    unhurried.push(...step.filter(({ isUnhurried }) => isUnhurried === true).map(runShown));
    const hurried = step.filter(({ isUnhurried }) => isUnhurried !== true);
    const results = await Promise.all(hurried.map(runShown));
    ended.push(...results);
    // The long run is there to find what happens once in ten times: one case that it finds does not end it.
    if (!isLong && results.some(({ exitCode }, index) => exitCode !== 0 && hurried[index]?.isNeeded === true)) break;
  }
  ended.push(...(await Promise.all(unhurried)));
  const phases = isLong ? ended : await withFailuresAgain(ended);
  const seconds = (performance.now() - startMs) / 1000;
  const { exitCode, lines } = verdict(phases, seconds, missingRecordings(), process.env['CI'] === 'true');
  console.log(`\n${lines.join('\n')}`);
  if (isLong) await writeResults(lines, await commit(), new Date());
  return exitCode;
}

async function withFailuresAgain(ended: readonly EndedPhase[]): Promise<readonly EndedPhase[]> {
  const all = STEPS.flat();
  const results: EndedPhase[] = [];
  for (const one of ended) {
    const phase = all.find(({ name }) => name === one.name);
    const again = phase && againPhase(phase, one);
    results.push(again === undefined ? one : { ...one, again: await runShown(again) });
  }
  return results;
}

async function runShown(phase: Phase): Promise<EndedPhase> {
  console.log(`\n=== ${phase.name}`);
  const result = await runPhase(phase);
  console.log(`=== ${phase.name}: ${result.seconds.toFixed(0)} s, load ${result.load.toFixed(1)}`);
  return result;
}

async function commit(): Promise<string> {
  const { stdout } = await execa('git', ['describe', '--always', '--dirty'], { cwd: REPOSITORY });
  return stdout;
}

process.exitCode = await main();
