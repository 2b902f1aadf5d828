import { execa } from 'execa';
import { missingRecordings } from '@kopsctl/test-conformance/recorded-cases.ts';
import { isLong } from './long.ts';
import { PHASES, REPOSITORY, runPhase } from './phases.ts';
import { writeResults } from './results-page.ts';
import { type EndedPhase, verdict } from './verdict.ts';

/** Everything there is to test, one phase after another; what has failed does not keep the later ones from being tried. */
async function main(): Promise<number> {
  const ended: EndedPhase[] = [];
  for (const phase of PHASES) {
    console.log(`\n=== ${phase.name}`);
    const result = await runPhase(phase);
    ended.push(result);
    console.log(`=== ${phase.name}: ${result.seconds.toFixed(0)} s, load ${result.load.toFixed(1)}`);
    if (result.exitCode !== 0 && phase.isNeeded) break;
  }
  const { exitCode, lines } = verdict(ended, missingRecordings(), process.env['CI'] === 'true');
  console.log(`\n${lines.join('\n')}`);
  if (isLong) await writeResults(lines, await commit(), new Date());
  return exitCode;
}

async function commit(): Promise<string> {
  const { stdout } = await execa('git', ['describe', '--always', '--dirty'], { cwd: REPOSITORY });
  return stdout;
}

process.exitCode = await main();
