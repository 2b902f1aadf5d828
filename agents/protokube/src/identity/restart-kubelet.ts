import { execa } from 'execa';

/** Restarts kubelet if it runs; its pods keep running. */
export async function restartKubelet(signal: AbortSignal): Promise<void> {
  await execa('systemctl', ['try-restart', '--no-block', 'kubelet.service'], { cancelSignal: signal });
}
