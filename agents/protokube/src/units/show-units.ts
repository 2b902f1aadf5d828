import { execa } from 'execa';
import { PROPERTIES } from './unit-troubles.ts';

/** What systemd says about units, whether or not it knows them. */
export async function showUnits(units: readonly string[], signal: AbortSignal): Promise<string> {
  const { stdout } = await execa('systemctl', ['show', `--property=${PROPERTIES.join(',')}`, ...units], {
    cancelSignal: signal,
  });
  return stdout;
}
