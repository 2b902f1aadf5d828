import { setTimeout as sleep } from 'node:timers/promises';
import { Wake } from '@kopsctl/agent/wake.ts';
import { MACHINE_STATE_ANNOTATION } from '@kopsctl/node-plan/machine-state.ts';
import { KubeError, type KubeClient } from '@kopsctl/kube/client.ts';
import type { StateBoard } from './state-board.ts';

/** Much changes at once while a machine starts, and nobody reads faster than this. */
const AT_MOST_EVERY_MS = 2_000;
/** The Node does not exist until kubelet has joined. */
const NO_NODE_YET_MS = 3_000;
/** Written again after this time, in case somebody has removed it. */
const AGAIN_MS = 10 * 60_000;

/** Keeps the board's state in an annotation of this machine's Node, for `kopsctl get nodes`. */
export async function reportState(
  nodeName: string,
  { board, kube }: { readonly board: StateBoard; readonly kube: KubeClient },
  signal: AbortSignal,
): Promise<void> {
  using wake = new Wake();
  board.ringOnChange(wake);
  while (!signal.aborted) {
    const annotations = { [MACHINE_STATE_ANNOTATION]: JSON.stringify(board.state) };
    try {
      await kube.mergePatch(`/api/v1/nodes/${nodeName}`, { metadata: { annotations } }, signal);
    } catch (error) {
      if (!(error instanceof KubeError && error.status === 404)) throw error;
      await sleep(NO_NODE_YET_MS, undefined, { signal });
      continue;
    }
    await sleep(AT_MOST_EVERY_MS, undefined, { signal });
    await wake.wait(AGAIN_MS, signal);
  }
}
