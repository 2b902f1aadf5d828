import { CLOUDS } from '@kopsctl/clouds/control.ts';

/** Runs a process that a cloud keeps on this computer. Resolves with false where no cloud has one of that name. */
export async function runHostProcess(name: string, argv: readonly string[]): Promise<boolean> {
  const hostProcess = CLOUDS.map(({ driver }) => driver?.hostProcess).find((one) => one?.name === name);
  if (hostProcess === undefined) return false;
  await hostProcess.run(argv);
  return true;
}
