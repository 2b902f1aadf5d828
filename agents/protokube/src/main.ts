import { parseArgs } from 'node:util';
import packageJson from '../package.json' with { type: 'json' };

const USAGE = `usage: protokube --config /etc/kops/protokube.json
       protokube --wait-for-certificate FILE   (before kubelet: wait until it has a certificate)
       protokube --version
`;

/**
 * protokube. `argv` holds the arguments without the names of program and script. Resolves with the exit code: 0 after
 * SIGTERM or SIGINT, 1 when the configuration cannot be read, 3 for wrong usage.
 */
export async function main(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  let flags: { readonly config?: string; readonly version?: boolean; readonly 'wait-for-certificate'?: string };
  try {
    flags = parseArgs({
      args: [...argv],
      options: { config: { type: 'string' }, version: { type: 'boolean' }, 'wait-for-certificate': { type: 'string' } },
    }).values;
  } catch (error) {
    process.stderr.write(`protokube: ${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    return 3;
  }
  if (flags.version === true) {
    process.stdout.write(`protokube ${packageJson.version}\n`);
    return 0;
  }
  const awaited = flags['wait-for-certificate'];
  if (awaited !== undefined) {
    return (await import('./identity/wait-for-certificate.ts')).waitForCertificate(awaited);
  }
  if (flags.config === undefined) {
    process.stderr.write(`protokube: --config is missing\n${USAGE}`);
    return 3;
  }
  return (await import('./start.ts')).start(flags.config, env);
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2), process.env);
