import { parseArgs } from 'node:util';
import packageJson from '../package.json' with { type: 'json' };

const USAGE = `usage: etcd-manager --config /etc/kops/etcd-manager.json
       etcd-manager verify [BACKUP] [--etcd-cluster main] [--config FILE]
       etcd-manager --version
`;

/**
 * Runs the etcd members of one control-plane machine. `argv` holds the arguments without the program and the script.
 * `verify` verifies a backup and exits.
 *
 * @returns the exit code: 0 after SIGTERM or SIGINT, 1 if the configuration cannot be read, 3 for wrong usage
 */
export async function main(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  if (argv[0] === 'verify') return (await import('./backup/verify-command.ts')).verifyCommand(argv.slice(1), env);
  let flags: { readonly config?: string; readonly version?: boolean };
  try {
    flags = parseArgs({
      args: [...argv],
      options: { config: { type: 'string' }, version: { type: 'boolean' } },
    }).values;
  } catch (error) {
    process.stderr.write(`etcd-manager: ${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    return 3;
  }
  if (flags.version === true) {
    process.stdout.write(`etcd-manager ${packageJson.version}\n`);
    return 0;
  }
  if (flags.config === undefined) {
    process.stderr.write(`etcd-manager: --config is required\n${USAGE}`);
    return 3;
  }
  return (await import('./start.ts')).start(flags.config, env);
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2), process.env);
