import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Machine } from '@kopsctl/model/cloud.ts';
import { JOURNAL_COMMAND } from '@kopsctl/model/journal-command.ts';
import { shellWords } from '@kopsctl/node-plan/shell-word.ts';
import { execa } from 'execa';
import { printable } from '../follow/printable.ts';

/** How this computer logs in to the machines of a cloud. */
export interface SshLogin {
  readonly user: string;
  /** The file of the private key; without it, the keys of the person's agent and configuration are tried. */
  readonly keyFile?: string | undefined;
  /** For connecting to one machine and reading its journal. */
  readonly withinMs: number;
}

interface SshRun {
  readonly exitCode?: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
}

export type RunSsh = (args: readonly string[], withinMs: number, signal: AbortSignal) => Promise<SshRun>;

const runSsh: RunSsh = (args, timeout, cancelSignal) =>
  execa('ssh', [...args], { stdin: 'ignore', timeout, reject: false, cancelSignal });

/**
 * Reads the journals of machines in a cloud, by their names there. Machines that cannot be reached from outside are reached
 * through a bastion, or else through a control plane, as in kops.
 */
export function journalsBySsh(
  machines: readonly Machine[],
  login: SshLogin,
  signal: AbortSignal,
  run: RunSsh = runSsh,
): (machine: string) => Promise<string> {
  const gateway = gatewayOf(machines);
  return async (name) => {
    const machine = machines.find((one) => one.name === name);
    const host = machine?.externalAddress ?? machine?.address ?? '';
    const isReached = machine?.externalAddress !== undefined || host === gateway;
    const target = { host, ...(!isReached && gateway !== undefined && { gateway }) };
    const what = `read the journal of ${name}`;
    if (!IS_ADDRESS.test(host)) {
      throw new ActionableError({
        what,
        why: 'its cloud gives it no address',
        next: 'repeat it when the machine runs',
      });
    }
    const { exitCode, stdout, stderr, timedOut } = await run(sshArguments(target, login), login.withinMs, signal);
    if (exitCode === 0) return stdout;
    signal.throwIfAborted();
    const said = printable(stderr.trim().split('\n').at(-1) ?? '', 500);
    throw new ActionableError({
      what,
      why: timedOut
        ? `no answer within ${login.withinMs / 1000} s`
        : said || `ssh ended with ${exitCode ?? 'a signal'}`,
      next: `check --ssh-user and --private-key: ssh -l ${login.user} ${host} sudo -n true`,
    });
  };
}

/** An address never begins with a dash: ssh would take it for an option. */
const IS_ADDRESS = /^[A-Za-z0-9][A-Za-z0-9.:-]*$/;

/** The machine through which all others are reached. */
function gatewayOf(machines: readonly Machine[]): string | undefined {
  const outside = machines.filter(({ externalAddress = '' }) => IS_ADDRESS.test(externalAddress));
  return ['Bastion', 'ControlPlane'].map((role) => outside.find((one) => one.role === role)).find(Boolean)
    ?.externalAddress;
}

const SETTINGS = [
  'BatchMode=yes',
  'StrictHostKeyChecking=no',
  'UserKnownHostsFile=/dev/null',
  'LogLevel=ERROR',
  'ForwardAgent=no',
  'ForwardX11=no',
  'ClearAllForwardings=yes',
];

/**
 * The arguments of ssh. Machines in a cloud come and go and take over addresses, so the keys of their hosts are not known
 * beforehand; nothing secret is sent to them, and nothing of this computer is opened to them, whatever the person's
 * configuration forwards: one that has taken over an address could use the person's agent otherwise. The gateway is reached by
 * a command of its own, because `-J` would pass neither the key nor this on.
 */
export function sshArguments(
  { host, gateway }: { readonly host: string; readonly gateway?: string },
  { user, keyFile }: Pick<SshLogin, 'user' | 'keyFile'>,
): readonly string[] {
  const common = [
    ...SETTINGS.flatMap((setting) => ['-o', setting]),
    ...(keyFile === undefined ? [] : ['-o', 'IdentitiesOnly=yes', '-i', keyFile]),
    '-l',
    user,
  ];
  const through = gateway && shellWords(['ssh', ...common, '-W', '[%h]:%p', '--', gateway]);
  return [
    ...common,
    ...(through === undefined ? [] : ['-o', `ProxyCommand=${through}`]),
    '--',
    host,
    shellWords(['sudo', '-n', ...JOURNAL_COMMAND]),
  ];
}
