import { execa } from 'execa';
import { KUBELET_UNIT } from '@kopsctl/node-plan/kubelet-unit.ts';

/** Restarts kubelet if it runs; its pods keep running. */
export async function restartKubelet(signal: AbortSignal): Promise<void> {
  await execa('systemctl', ['try-restart', '--no-block', KUBELET_UNIT], { cancelSignal: signal });
}
