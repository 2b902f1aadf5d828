import type { GlobalOptions } from '../flags/global-options.ts';
import { nextCommand } from './next-command.ts';

/** That nothing of what was shown is carried out, because kops made the cluster, and what to do about it. */
export function unadoptedLines(global: Pick<GlobalOptions, 'stateFlag'>, cluster: string, kopsVersion: string): string {
  const next = nextCommand(global, ['adopt', cluster]);
  return (
    `kops ${kopsVersion} made ${cluster}, and kopsctl has not taken it over: until it does, nothing is applied.\n` +
    `Next: ${next} shows what that changes and why (docs/moving-from-kops.md)\n`
  );
}
