import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface Options {
  readonly config: string;
  readonly isDryRun: boolean;
  /** Compares this machine with its plan and reports it; with `repairs`, what differs is repaired. */
  readonly isCheck: boolean;
  readonly repairs: boolean;
  /** The hash of the plan that is to take the place of this machine's. */
  readonly adopts: string | undefined;
  readonly output: 'text' | 'json';
  readonly exitCode: boolean;
  readonly root: string;
  /** How many tasks may run at once; undefined for the engine's own limit. */
  readonly concurrency: number | undefined;
  /** A file of facts, instead of asking the cloud. */
  readonly facts: string | undefined;
}

export const USAGE = `usage: nodeup [--config FILE] [--dry-run [--exit-code] [-o text|json]] [--root DIR] [--facts FILE]
       nodeup --check [--repair] [--config FILE] [--root DIR] [--facts FILE]
       nodeup --adopt HASH [--config FILE] [--root DIR]
       nodeup --machine-facts

Configures this machine as its node plan says.

  --config FILE   the boot configuration (/etc/kops/boot.json)
  --dry-run       show what would change, and change nothing
  --exit-code     with --dry-run: exit with 2 when something would change
  -o FORMAT       with --dry-run: text or json
  --check         compare this machine with its plan, and write the result to /var/lib/kops/drift-report.json
  --repair        with --check: repair what differs from the plan, except for keys and secrets
  --adopt HASH    take over another plan of the same group, if this machine can be changed to match it; the next
                  run of nodeup carries it out
  --concurrency N how many tasks run at once; with 1 the order is easy to follow
  --root DIR      use DIR as / (to work on another machine's files)
  --facts FILE    JSON with instanceId, nodeName, address and zone, instead of asking the cloud
  --machine-facts print hardware and operating system of this machine as JSON, as the boot report has them
  --version
`;

/** @throws when the arguments are invalid */
export function readOptions(argv: readonly string[]): Options | 'help' {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      config: { type: 'string', default: '/etc/kops/boot.json' },
      'dry-run': { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      adopt: { type: 'string' },
      repair: { type: 'boolean', default: false },
      'exit-code': { type: 'boolean', default: false },
      output: { type: 'string', short: 'o', default: 'text' },
      concurrency: { type: 'string' },
      root: { type: 'string', default: '/' },
      facts: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return 'help';
  if (values.output !== 'text' && values.output !== 'json') throw new Error(`-o ${values.output}: choose text or json`);
  if (values.repair && !values.check) throw new Error('--repair: it requires --check');
  if (values.check && values['dry-run']) throw new Error('--check: it cannot be used with --dry-run');
  if (values.adopt !== undefined && !/^[0-9a-f]{64}$/.test(values.adopt)) {
    throw new Error(`--adopt ${values.adopt}: give the hash of a plan, 64 hex digits`);
  }
  const concurrency = values.concurrency === undefined ? undefined : Number(values.concurrency);
  if (concurrency !== undefined && !(Number.isInteger(concurrency) && concurrency > 0)) {
    throw new Error(`--concurrency ${values.concurrency}: give a whole number of at least 1`);
  }
  return {
    concurrency,
    config: values.config,
    isDryRun: values['dry-run'],
    isCheck: values.check,
    repairs: values.repair,
    adopts: values.adopt,
    output: values.output,
    exitCode: values['exit-code'],
    root: resolve(values.root),
    facts: values.facts,
  };
}
