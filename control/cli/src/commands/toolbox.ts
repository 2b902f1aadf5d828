import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { openLocal } from '@kopsctl/apply/local-cluster.ts';
import { continueWhenStopped } from '@kopsctl/clouds/local/continue-stopped.ts';
import { localSettings } from '@kopsctl/apply/local-settings.ts';
import type { ApiVersion } from '@kopsctl/spec/versions/api-version.ts';
import { chooseCluster, openStateStore } from '../open.ts';
import type { GlobalOptions } from '../program.ts';

async function localCloud(global: GlobalOptions) {
  const cluster = await chooseCluster(global, undefined, await openStateStore(global));
  return openLocal(cluster, localSettings(process.env, undefined));
}

export async function printConsole(global: GlobalOptions, machine: string): Promise<number> {
  process.stdout.write(await (await localCloud(global)).console(machine));
  return 0;
}

/** Runs a command on a machine with this terminal's input and output; its exit code is ours. */
export async function execOnMachine(
  global: GlobalOptions,
  machine: string,
  command: readonly string[],
): Promise<number> {
  const local = await localCloud(global);
  const [file = '', ...args] = await local.execArgv(machine, command.length === 0 ? ['/bin/bash'] : command);
  const { execa } = await import('execa');
  const running = execa(file, args, { stdio: 'inherit', reject: false });
  const { exitCode } = await running.finally(continueWhenStopped(running.pid));
  return exitCode ?? 255;
}

export async function rebootMachine(global: GlobalOptions, machine: string): Promise<number> {
  await (await localCloud(global)).rebootMachine(machine);
  process.stdout.write(`${machine} reboots\n`);
  return 0;
}

export async function terminateMachine(global: GlobalOptions, machine: string): Promise<number> {
  await (await localCloud(global)).terminateMachine(machine);
  process.stdout.write(`${machine} is gone; \`kopsctl apply --yes\` makes a new one\n`);
  return 0;
}

export async function unlock(global: GlobalOptions, name: string | undefined): Promise<number> {
  const store = await openStateStore(global);
  const cluster = await chooseCluster(global, name, store);
  const { breakLock } = await import('@kopsctl/state-store/lock.ts');
  const broken = await breakLock(store, `${cluster}/lock`, Date.now());
  process.stdout.write(
    broken === undefined ? `${cluster} was not locked\n` : `${cluster} is unlocked; it was held by ${broken.owner}\n`,
  );
  return 0;
}

export async function printSchema(kind: string, version: ApiVersion): Promise<number> {
  const { jsonSchema } = await import('@kopsctl/spec/json-schema.ts');
  const { isKind, KINDS } = await import('@kopsctl/spec/kinds.ts');
  if (!isKind(kind)) {
    throw new ActionableError({
      what: `print the schema of ${kind}`,
      why: 'there is no such kind',
      next: `choose one of ${Object.keys(KINDS).join(', ')}`,
    });
  }
  process.stdout.write(`${JSON.stringify(jsonSchema(kind, version), null, 2)}\n`);
  return 0;
}

export async function collectGarbage(): Promise<number> {
  const { collectGarbage: collect } = await import('@kopsctl/clouds/local/gc.ts');
  const removed = await collect(localSettings(process.env, undefined).dir);
  process.stdout.write(
    removed.length === 0 ? 'nothing was left behind\n' : removed.map((one) => `removed ${one}\n`).join(''),
  );
  return 0;
}
