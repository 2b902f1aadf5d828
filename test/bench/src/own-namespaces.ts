import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { execa } from 'execa';

/** The address of the metadata service on local machines. */
export const METADATA_ADDRESS = '169.254.169.254';
const MARK = 'KOPSCTL_BENCH_NAMESPACES';

/**
 * Runs the function in separate network and mount namespaces, by starting this program again inside them. There it has
 * all of 127.0.0.0/8 and the metadata service's address to itself, and mounts affect no other process. Needs root.
 */
export async function inOwnNamespaces(run: () => Promise<void>): Promise<void> {
  if (process.env[MARK] !== undefined) {
    await execa('ip', ['link', 'set', 'lo', 'up']);
    await execa('ip', ['address', 'add', `${METADATA_ADDRESS}/32`, 'dev', 'lo']);
    return run();
  }
  const again = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const child = spawn('unshare', ['--net', '--mount', ...again], {
    stdio: 'inherit',
    env: { ...process.env, [MARK]: '1' },
  });
  const [code]: unknown[] = await once(child, 'exit');
  process.exitCode = Number(code ?? 1);
}
