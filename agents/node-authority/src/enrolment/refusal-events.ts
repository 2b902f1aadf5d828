import type { Log } from '@kopsctl/agent/log.ts';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import { createWarning } from '@kopsctl/kube/warning-event.ts';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';

export interface RefusalEventsEnv {
  readonly kube: Pick<KubeClient, 'create'>;
  readonly log: Log;
  readonly nowMs: () => number;
}

/** A refused machine is called again within seconds, and its events are kept for an hour: that makes six of each reason. */
const PAUSE_MS = 10 * 60_000;
/** The API server may be away, or the permission not applied yet. The log has each refusal anyway. */
const PAUSE_AFTER_FAILURE_MS = 60_000;

/**
 * Tells people of machines that are refused the name that the cloud gives them, by events about that Node: such a machine
 * never joins by itself, and may be somebody else's.
 */
export class RefusalEvents {
  readonly #env: RefusalEventsEnv;
  /** Until when nothing more is said, by machine and reason. A machine has few reasons, as they contain no text of its own. */
  readonly #quietUntilMs = new Map<string, number>();

  constructor(env: RefusalEventsEnv) {
    this.#env = env;
  }

  /** Never rejects: a refusal stands whether or not an event reports it. */
  async tell({ instanceId, nodeName }: CloudMachine, reason: string, signal: AbortSignal): Promise<void> {
    const { kube, log, nowMs } = this.#env;
    const key = JSON.stringify([instanceId, reason]);
    if ((this.#quietUntilMs.get(key) ?? 0) > nowMs()) return;
    this.#forgetOld();
    this.#quietUntilMs.set(key, nowMs() + PAUSE_MS);
    const warning = {
      // kubelet gives the name as uid too, and there may be no Node of that name yet.
      about: { kind: 'Node', name: nodeName, uid: nodeName },
      reason: 'AttestationRefused',
      message: `${instanceId} is not attested: ${reason}`,
      component: 'node-authority',
    };
    try {
      await createWarning(kube, warning, nowMs(), signal);
    } catch (error) {
      if (signal.aborted) return;
      this.#quietUntilMs.set(key, nowMs() + PAUSE_AFTER_FAILURE_MS);
      log.warn('event not created', { node: nodeName, error });
    }
  }

  #forgetOld(): void {
    const nowMs = this.#env.nowMs();
    for (const [key, untilMs] of this.#quietUntilMs) if (untilMs <= nowMs) this.#quietUntilMs.delete(key);
  }
}
