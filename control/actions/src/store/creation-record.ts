import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { CreationRecord } from '@kopsctl/model/create-cluster/inferred-values.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';

/**
 * Where the store says what `create cluster` chose. kops knows the folder `manifests` and reads nothing in it but its own
 * files, so that its commands, including `delete cluster`, do not object to it.
 */
const recordPath = (cluster: string): string => `${cluster}/manifests/kopsctl/create-cluster.json`;

const API_VERSION = 'kopsctl.io/v1';
const NOTHING: CreationRecord = { cluster: {}, instanceGroups: {} };

/** Writes the record of a new cluster. An earlier attempt that broke off may have left one, which is replaced. */
export async function writeCreationRecord(store: StateStore, cluster: string, record: CreationRecord): Promise<void> {
  const text = `${JSON.stringify({ apiVersion: API_VERSION, kind: 'CreationRecord', ...record }, null, 2)}\n`;
  const left = await store.read(recordPath(cluster));
  const condition = ifUnchanged(left?.version);
  await store.write(recordPath(cluster), new TextEncoder().encode(text), condition);
}

/** What `create cluster` chose; nothing for clusters that came from files, or from kops. */
export async function readCreationRecord(store: StateStore, cluster: string): Promise<CreationRecord> {
  const stored = await store.read(recordPath(cluster));
  if (stored === undefined) return NOTHING;
  const record = parseRecord(new TextDecoder().decode(stored.bytes));
  if (record !== undefined) return record;
  throw new ActionableError({
    what: `read ${recordPath(cluster)} of ${store.url}`,
    why: 'it is not a CreationRecord of kopsctl.io/v1',
    next: 'delete that file: every value of the cluster then counts as set by you',
  });
}

function parseRecord(text: string): CreationRecord | undefined {
  const value = parsed(text);
  if (!isRecord(value) || value['apiVersion'] !== API_VERSION) return undefined;
  const { cluster, instanceGroups } = value;
  if (!isRecord(cluster) || !isRecord(instanceGroups)) return undefined;
  const groups = Object.entries(instanceGroups);
  const read = groups.flatMap(([name, inferred]) => (isRecord(inferred) ? [[name, inferred] as const] : []));
  return read.length === groups.length ? { cluster, instanceGroups: Object.fromEntries(read) } : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // For any text that is not a record, the caller says where it is and what to do.
    return undefined;
  }
}
