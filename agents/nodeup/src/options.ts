import { parseArgs } from 'node:util';

export interface Options {
  readonly config: string;
  readonly isDryRun: boolean;
  readonly output: 'text' | 'json';
  readonly exitCode: boolean;
  readonly root: string;
  /** A file of facts, in place of asking the cloud. */
  readonly facts: string | undefined;
}

export const USAGE = `usage: nodeup [--config FILE] [--dry-run [--exit-code] [-o text|json]] [--root DIR] [--facts FILE]

Makes this machine what its node plan says.

  --config FILE   the boot configuration (/etc/kops/boot.json)
  --dry-run       show what would change, and change nothing
  --exit-code     with --dry-run: end with 2 when something would change
  -o FORMAT       with --dry-run: text or json
  --root DIR      take DIR for / (to look at another machine's files)
  --facts FILE    JSON with instanceId, nodeName, address and zone, in place of asking the cloud
  --version
`;

/** @throws when the arguments make no sense */
export function readOptions(argv: readonly string[]): Options | 'help' {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      config: { type: 'string', default: '/etc/kops/boot.json' },
      'dry-run': { type: 'boolean', default: false },
      'exit-code': { type: 'boolean', default: false },
      output: { type: 'string', short: 'o', default: 'text' },
      root: { type: 'string', default: '/' },
      facts: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return 'help';
  if (values.output !== 'text' && values.output !== 'json') throw new Error(`-o ${values.output}: choose text or json`);
  return {
    config: values.config,
    isDryRun: values['dry-run'],
    output: values.output,
    exitCode: values['exit-code'],
    root: values.root,
    facts: values.facts,
  };
}
