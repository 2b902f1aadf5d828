import { parseArgs } from 'node:util';
import packageJson from '../package.json' with { type: 'json' };

const USAGE = `usage: node-authority --config /etc/kops/node-authority.json
       node-authority --version
`;

/**
 * Attests the machines of a cluster. `argv` holds the arguments without the program and the script.
 *
 * @returns the exit code: 0 after SIGTERM or SIGINT, 1 if the configuration cannot be read, 3 for wrong usage
 */
export async function main(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  let flags: { readonly config?: string; readonly version?: boolean };
  try {
    flags = parseArgs({
      args: [...argv],
      options: { config: { type: 'string' }, version: { type: 'boolean' } },
    }).values;
  } catch (error) {
    process.stderr.write(`node-authority: ${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    return 3;
  }
  if (flags.version === true) {
    process.stdout.write(`node-authority ${packageJson.version}\n`);
    return 0;
  }
  if (flags.config === undefined) {
    process.stderr.write(`node-authority: --config is required\n${USAGE}`);
    return 3;
  }
  return (await import('./start.ts')).start(flags.config, env);
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2), process.env);
