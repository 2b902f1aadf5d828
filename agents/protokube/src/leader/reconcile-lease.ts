import { setTimeout as sleep } from 'node:timers/promises';
import { asRecord, asString } from '@kopsctl/kube/json.ts';
import { KubeError, type KubeClient } from '@kopsctl/kube/client.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { jittered, Wake } from '@kopsctl/agent/wake.ts';
import { Wakes } from '@kopsctl/agent/wakes.ts';
import { LEASE_SECONDS, planLease, RENEW_MS, type ObservedLease } from './plan-lease.ts';

const COLLECTION = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const NAME = 'kops-addons';
/** When it is stopped, protokube does not wait longer than this for an API server. */
const RELEASE_WITHIN_MS = 2_000;

/** Whether this machine leads, and the loops to wake when it starts to. */
export class Leadership {
  #term: AbortController | undefined;
  readonly #wakes = new Wakes();
  readonly #onChange: (isHeld: boolean) => void;

  constructor(onChange: (isHeld: boolean) => void = () => undefined) {
    this.#onChange = onChange;
  }

  get isHeld(): boolean {
    return this.#term !== undefined;
  }

  ringOnChange(wake: Wake): void {
    this.#wakes.add(wake);
  }

  /**
   * Does the work if this machine leads, and aborts it quietly when it no longer does.
   *
   * @returns undefined when the work was not done or not finished.
   */
  async whileLeading<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    const term = this.#term?.signal;
    if (term === undefined) return undefined;
    try {
      return await work(AbortSignal.any([signal, term]));
    } catch (error) {
      signal.throwIfAborted();
      if (term.aborted) return undefined;
      throw error;
    }
  }

  begin(): void {
    this.#term = new AbortController();
    this.#onChange(true);
    this.#wakes.ring();
  }

  end(): void {
    this.#term?.abort(new Error('another machine leads now'));
    this.#term = undefined;
    this.#onChange(false);
  }
}

/** Competes for the Lease kube-system/kops-addons, and releases it at the end. The only writer of `leadership`. */
export async function reconcileLease(
  me: string,
  leadership: Leadership,
  env: { readonly kube: KubeClient; readonly log: Log },
  signal: AbortSignal,
): Promise<void> {
  let seen: ObservedLease | undefined;
  let renewedMs = 0;
  let said = '';
  try {
    while (!signal.aborted) {
      // A leader that cannot renew in time must stop before another machine may start to lead.
      const deadline = leadership.isHeld
        ? AbortSignal.any([signal, AbortSignal.timeout(remaining(renewedMs))])
        : signal;
      const lease = await env.kube.get(`${COLLECTION}/${NAME}`, deadline);
      seen = observe(lease, seen);
      const step = planLease(me, seen, performance.now());
      if (step.action !== 'renew' && said !== step.summary) env.log.info(step.action, { summary: step.summary });
      said = step.summary;
      if (step.action === 'wait') {
        leadership.end();
        await sleep(jittered(step.waitMs), undefined, { signal });
        continue;
      }
      const beforeMs = performance.now();
      if (!(await write(env.kube, me, lease, step.action, deadline))) continue;
      renewedMs = beforeMs;
      if (!leadership.isHeld) leadership.begin();
      await sleep(jittered(RENEW_MS), undefined, { signal });
    }
  } finally {
    const led = leadership.isHeld;
    leadership.end();
    // Saves the next leader the wait until the lease expires; a failure costs only that wait.
    if (led && signal.aborted) await release(env.kube, me).catch(() => undefined);
  }
}

/** The time left for a renewal, with a third of the lease as a margin. */
function remaining(renewedMs: number): number {
  return Math.max(1, Math.round(renewedMs + (LEASE_SECONDS * 1000 * 2) / 3 - performance.now()));
}

function observe(lease: unknown, before: ObservedLease | undefined): ObservedLease | undefined {
  if (lease === undefined) return undefined;
  const { metadata, spec } = asRecord(lease);
  const resourceVersion = asString(asRecord(metadata)['resourceVersion']) ?? '';
  if (before?.resourceVersion === resourceVersion) return before;
  return { holder: asString(asRecord(spec)['holderIdentity']) ?? '', resourceVersion, seenMs: performance.now() };
}

/** False when another machine wrote it first; then it is read again. */
async function write(
  kube: KubeClient,
  me: string,
  lease: unknown,
  action: 'create' | 'take' | 'renew',
  signal: AbortSignal,
): Promise<boolean> {
  const now = microTime(new Date());
  const { metadata, spec } = asRecord(lease);
  const before = asRecord(spec);
  const transitions = typeof before['leaseTransitions'] === 'number' ? before['leaseTransitions'] : 0;
  const object = {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: action === 'create' ? { name: NAME, namespace: 'kube-system' } : metadata,
    spec: {
      holderIdentity: me,
      leaseDurationSeconds: LEASE_SECONDS,
      acquireTime: action === 'renew' ? before['acquireTime'] : now,
      renewTime: now,
      leaseTransitions: action === 'take' ? transitions + 1 : transitions,
    },
  };
  try {
    if (action === 'create') await kube.create(COLLECTION, object, signal);
    else await kube.replace(`${COLLECTION}/${NAME}`, object, signal);
    return true;
  } catch (error) {
    if (error instanceof KubeError && error.status === 409) return false;
    throw error;
  }
}

async function release(kube: KubeClient, me: string): Promise<void> {
  const signal = AbortSignal.timeout(RELEASE_WITHIN_MS);
  const lease = asRecord(await kube.get(`${COLLECTION}/${NAME}`, signal));
  const spec = asRecord(lease['spec']);
  if (spec['holderIdentity'] !== me) return;
  await kube.replace(`${COLLECTION}/${NAME}`, { ...lease, spec: { ...spec, holderIdentity: '' } }, signal);
}

/** Kubernetes's MicroTime requires exactly six fractional digits. */
function microTime(date: Date): string {
  return date.toISOString().replace('Z', '000Z');
}
