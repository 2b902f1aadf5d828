import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import {
  type Enrolment,
  enrolmentPath,
  nodeOfEnrolmentPath,
  nodesFolder,
  parseEnrolment,
  printEnrolment,
} from '@kopsctl/node-identity/enrolment.ts';
import { nearestName } from '@kopsctl/spec/nearest-name.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { againOnConflict } from '@kopsctl/state-store/again-on-conflict.ts';

/** The machine of a name, where the store keeps it. */
export interface EnrolmentPlace {
  readonly store: StateStore;
  readonly cluster: string;
  readonly node: string;
  /** What a person wants with it, for errors. */
  readonly what: string;
}

interface StoredEnrolment {
  readonly enrolment: Enrolment;
  readonly version: string;
}

/** Reads which machine has a name. @throws ActionableError that names those there are */
export async function readEnrolment(place: EnrolmentPlace, signal: AbortSignal): Promise<StoredEnrolment> {
  const { store, cluster, node, what } = place;
  const path = enrolmentPath(cluster, node);
  const stored = await store.read(path, signal);
  if (stored === undefined) throw await nothingEnrolled(place, signal);
  try {
    return { enrolment: parseEnrolment(Buffer.from(stored.bytes).toString('utf8')), version: stored.version };
  } catch (cause) {
    throw new ActionableError({
      what,
      why: `${path} in ${store.url} is not a valid enrolment: ${cause instanceof Error ? cause.message : 'no reason'}`,
      next: 'terminate the machine in its cloud, then delete that file',
      cause,
    });
  }
}

async function nothingEnrolled(
  { store, cluster, node, what }: EnrolmentPlace,
  signal: AbortSignal,
): Promise<ActionableError> {
  const entries = await store.list(nodesFolder(cluster), signal);
  const enrolled = entries.flatMap(({ path }) => nodeOfEnrolmentPath(cluster, path) ?? []);
  const near = nearestName(node, enrolled);
  return new ActionableError({
    what,
    why: `no machine has enrolled under that name in ${cluster}; control planes do not enrol, they hold the keys themselves`,
    next: near === undefined ? '`kopsctl get nodes` lists the names' : `did you mean ${near}?`,
  });
}

/**
 * Puts a mark on the enrolment of the machine that was looked at before. An authority may write at the same time: then the
 * mark is put on what it wrote, unless another machine has the name by then.
 *
 * @param seen the enrolment as the person was shown it
 * @returns the enrolment with the mark; the caller holds the cluster's lock
 */
export async function markEnrolment(
  place: EnrolmentPlace,
  seen: Pick<Enrolment, 'instanceId' | 'launchedMs'>,
  mark: (enrolment: Enrolment) => Enrolment,
  signal: AbortSignal,
): Promise<Enrolment> {
  const { store, cluster, node, what } = place;
  return againOnConflict(async () => {
    const { enrolment, version } = await readEnrolment(place, signal);
    if (enrolment.instanceId !== seen.instanceId || enrolment.launchedMs !== seen.launchedMs) {
      throw new ActionableError({
        what,
        why: `the name has just passed from ${seen.instanceId} to ${enrolment.instanceId}, another machine`,
        next: 'check which machine you mean, and repeat the command',
      });
    }
    const marked = mark(enrolment);
    const text = printEnrolment(marked);
    if (text !== printEnrolment(enrolment)) {
      await store.write(enrolmentPath(cluster, node), Buffer.from(text), { ifVersion: version }, signal);
    }
    return marked;
  });
}
