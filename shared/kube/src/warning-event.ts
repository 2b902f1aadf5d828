import type { KubeClient } from './client.ts';

/** What went wrong with an object, for people: `kubectl get events` and `kubectl describe` show it for an hour. */
export interface Warning {
  readonly about: InvolvedObject;
  /** One word in CamelCase, by which such events can be listed. */
  readonly reason: string;
  readonly message: string;
  /** Which program says so. */
  readonly component: string;
}

/** An object of the core group. */
interface InvolvedObject {
  readonly kind: string;
  readonly name: string;
  /** Absent for an object of the cluster. */
  readonly namespace?: string;
  /** `kubectl describe` finds events by it. */
  readonly uid?: string;
}

/** Kubernetes core/v1: the message of an event has at most 1,024 characters. */
const LONGEST_MESSAGE = 1024;
/** Kubernetes pkg/apis/core/validation/events.go: where events of objects without a namespace belong. */
const NAMESPACE_OF_CLUSTER = 'default';

/** Creates an event of the type Warning. The caller has to limit how often. */
export async function createWarning(
  kube: Pick<KubeClient, 'create'>,
  { about, reason, message, component }: Warning,
  nowMs: number,
  signal: AbortSignal,
): Promise<void> {
  const namespace = about.namespace ?? NAMESPACE_OF_CLUSTER;
  const now = new Date(nowMs).toISOString();
  await kube.create(
    `/api/v1/namespaces/${namespace}/events`,
    {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { generateName: `${about.name}-`, namespace },
      involvedObject: { apiVersion: 'v1', ...about },
      type: 'Warning',
      reason,
      message: message.slice(0, LONGEST_MESSAGE),
      source: { component },
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
    },
    signal,
  );
}
