import { execa } from 'execa';

/** Starts a unit of systemd, and waits until it has started; a oneshot has then ended. */
export async function startUnit(unit: string, signal: AbortSignal): Promise<void> {
  await execa('systemctl', ['start', unit], { cancelSignal: signal });
}
