import { execa } from 'execa';

export interface Measured {
  readonly runs: number;
  readonly minMs: number;
  readonly medianMs: number;
  readonly maxMs: number;
  /** The largest resident set of all runs. */
  readonly peakMiB: number;
}

/** GNU time prints the peak resident set in KiB. The millisecond that it takes itself counts as the command's. */
const PEAK = ['/usr/bin/time', '-f', '%M'];
/** bash measures the time: starting a program from a process as large as this one takes ten milliseconds. */
const TIMED = 'TIMEFORMAT=%3R; time "$@"';

/** Runs a command several times, without counting the first run, and reports its wall time and peak memory. */
export async function measure(
  command: string,
  args: readonly string[],
  options: {
    readonly runs: number;
    readonly env?: Readonly<Record<string, string>>;
    readonly expect?: readonly number[];
  },
): Promise<Measured> {
  const times: number[] = [];
  let peakKiB = 0;
  for (let run = 0; run <= options.runs; run += 1) {
    const result = await execa('bash', ['-c', TIMED, 'bash', ...PEAK, command, ...args], {
      reject: false,
      env: { ...options.env, LC_ALL: 'C' },
    });
    if (!(options.expect ?? [0]).includes(result.exitCode ?? -1)) {
      throw new Error(`${command} ${args.join(' ')} exited with ${result.exitCode}: ${result.stderr}`);
    }
    const [seconds = '', peak = ''] = result.stderr.trim().split('\n').toReversed();
    const ms = Number(seconds) * 1e3;
    if (run === 0) continue;
    times.push(ms);
    peakKiB = Math.max(peakKiB, Number(peak));
  }
  const sorted = times.toSorted((a, b) => a - b);
  return {
    runs: options.runs,
    minMs: sorted[0] ?? 0,
    medianMs: sorted[Math.floor(sorted.length / 2)] ?? 0,
    maxMs: sorted.at(-1) ?? 0,
    peakMiB: peakKiB / 1024,
  };
}
