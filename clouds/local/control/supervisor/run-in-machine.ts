import { execa } from 'execa';
import * as z from 'zod';
import { continueWhenStopped } from '../processes/continue-stopped.ts';
import { callSupervisor } from './call-supervisor.ts';
import type { ClusterHost } from './cluster-host.ts';
import { initOf, livingHolder } from './holder.ts';

export interface ExecResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ExecOptions {
  readonly signal?: AbortSignal;
  readonly input?: string;
}

const answer = z.object({ argv: z.array(z.string()) });

/** A command line that runs `argv` inside a machine, for callers that attach a terminal. */
export async function execArgv(
  host: ClusterHost,
  machine: string,
  argv: readonly string[],
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const holder = await livingHolder(host.paths);
  const path = `/v1/machines/${encodeURIComponent(machine)}/exec`;
  const inside = answer.parse(await callSupervisor(host, 'POST', path, { body: argv, signal }));
  if (holder === undefined) throw new Error(`${host.paths.holder} does not name the supervisor that answers`);
  const target = String(await initOf(holder));
  return ['nsenter', '--target', target, '--mount', '--net', '--pid', '--ipc', '--uts', '--wd', ...inside.argv];
}

/** Runs a command inside a machine, as root. */
export async function execInMachine(
  host: ClusterHost,
  machine: string,
  argv: readonly string[],
  { signal, input }: ExecOptions = {},
): Promise<ExecResult> {
  const [file = '', ...args] = await execArgv(host, machine, argv, signal);
  const running = execa(file, args, {
    reject: false,
    killSignal: 'SIGKILL',
    ...(input === undefined ? { stdin: 'ignore' } : { input }),
    ...(signal === undefined ? {} : { cancelSignal: signal }),
  });
  const { exitCode, stdout, stderr } = await running.finally(continueWhenStopped(running.pid));
  signal?.throwIfAborted();
  return { exitCode: exitCode ?? 255, stdout, stderr };
}
