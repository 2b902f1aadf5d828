import { execa } from 'execa';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { printable } from '../follow/printable.ts';

/** A machine that this computer reaches by SSH. */
export interface SshTarget {
  readonly host: string;
  readonly user: string;
  readonly port: number;
}

/** Runs a script there as root, and resolves with what it prints. */
export type RunThere = (target: SshTarget, script: string, signal: AbortSignal) => Promise<string>;

/** For a connection and a bootstrap script, which leaves the long work to nodeup. A download over a slow line takes minutes. */
const WITHIN_MS = 15 * 60_000;

/**
 * The arguments of ssh. The script is not among them: other users of this computer and of the machine can read arguments.
 * The person's ssh configuration decides which keys and hosts are trusted; nothing is asked.
 */
export const sshArguments = ({ host, user, port }: SshTarget): readonly string[] => [
  '-o',
  'BatchMode=yes',
  '-p',
  String(port),
  '-l',
  user,
  '--',
  host,
  user === 'root' ? 'sh -s' : 'sudo -n sh -s',
];

/** Runs a script by the ssh of this computer, which reads it from its standard input. */
export const runBySsh: RunThere = async (target, script, signal) => {
  const options = { input: script, timeout: WITHIN_MS, reject: false, cancelSignal: signal } as const;
  const { exitCode, stdout, stderr, timedOut } = await execa('ssh', sshArguments(target), options);
  if (exitCode === 0) return stdout;
  signal.throwIfAborted();
  const said = printable(stderr.trim().split('\n').at(-1) ?? '', 500);
  throw new ActionableError({
    what: `run the bootstrap script on ${target.host} as ${target.user}`,
    why: timedOut ? 'it did not finish within 15 minutes' : said || `ssh ended with ${exitCode ?? 'a signal'}`,
    next: `check \`ssh -p ${target.port} ${target.user}@${target.host} ${target.user === 'root' ? 'true' : 'sudo -n true'}\`, then repeat the command`,
  });
};

/** What ssh could take for an option or a command is refused. @throws ActionableError */
export function checkedTarget({ host, user, port }: SshTarget): SshTarget {
  const isName = (text: string): boolean => /^[A-Za-z0-9_][A-Za-z0-9_.:%-]*$/.test(text);
  if (isName(host) && isName(user) && Number.isInteger(port) && port > 0 && port < 65_536) return { host, user, port };
  throw new ActionableError({
    what: `reach ${JSON.stringify(host)} by SSH`,
    why: `--host, --ssh-user or --ssh-port (${JSON.stringify(user)}, ${port}) is not valid`,
    next: 'write them like --host 192.0.2.10 --ssh-user root --ssh-port 22',
  });
}
