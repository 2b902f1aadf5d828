import { execa } from 'execa';

export interface Measured {
  readonly runs: number;
  readonly minMs: number;
  readonly medianMs: number;
  readonly maxMs: number;
  /** The largest resident set of any run. */
  readonly peakMiB: number;
}

/** GNU time prints the peak resident set in KiB as its last line. */
const TIME = '/usr/bin/time';

/** Runs a command several times, the first one not counted, and reports its wall time and peak memory. */
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
    const from = process.hrtime.bigint();
    const result = await execa(TIME, ['-f', '%M', command, ...args], {
      reject: false,
      env: options.env ?? {},
    });
    const ms = Number(process.hrtime.bigint() - from) / 1e6;
    if (!(options.expect ?? [0]).includes(result.exitCode ?? -1)) {
      throw new Error(`${command} ${args.join(' ')} ended with ${result.exitCode}: ${result.stderr}`);
    }
    if (run === 0) continue;
    times.push(ms);
    peakKiB = Math.max(peakKiB, Number(result.stderr.trim().split('\n').at(-1)));
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

export function row(what: string, measured: Measured): string {
  const ms = [measured.minMs, measured.medianMs, measured.maxMs].map((value) => value.toFixed(0)).join(' / ');
  return `| ${what} | ${ms} | ${measured.peakMiB.toFixed(0)} | ${measured.runs} |`;
}
