import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { ConflictError, type StateStore } from '@kopsctl/state-store/store.ts';
import { isSameJson } from '@kopsctl/tasks/same-json.ts';
import * as z from 'zod';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';
import { askedSchema } from '../../rolling/asked.ts';
import { ROTATION_PHASES, type Rotation } from './plan-rotation.ts';

/** Where a cluster's rotation of key pairs is noted. */
const journalPath = (cluster: string): string => `${cluster}/keypair-rotation.json`;

const journalSchema = z.object({
  phase: z.enum(ROTATION_PHASES),
  sinceMs: z.number(),
  keysets: z.record(
    z.string(),
    z.object({ from: z.string(), to: z.string().optional() }).transform(({ from, to }) => ({
      from,
      ...(to === undefined ? {} : { to }),
    })),
  ),
  manner: askedSchema.optional(),
  isTold: z.boolean().optional(),
});

export interface StoredRotation {
  readonly rotation: Rotation;
  readonly version: string;
}

/** Undefined where none has ever begun. */
export async function readRotation(store: StateStore, cluster: string): Promise<StoredRotation | undefined> {
  const stored = await store.read(journalPath(cluster));
  if (stored === undefined) return undefined;
  const refuse = (why: string): ActionableError =>
    new ActionableError({
      what: `read ${journalPath(cluster)} of ${store.url}`,
      why,
      next: 'look at `kopsctl get keypairs --distrusted`; delete the file to begin a rotation from the state of the keysets',
    });
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(stored.bytes));
  } catch {
    throw refuse('it is not JSON');
  }
  const { data, error } = journalSchema.safeParse(json);
  if (data === undefined) throw refuse(`${error.issues[0]?.path.join('.') ?? ''}: ${error.issues[0]?.message ?? ''}`);
  const { manner, isTold, ...rotation } = data;
  const optional = { ...(manner && { manner }), ...(isTold !== undefined && { isTold }) };
  return { rotation: { ...rotation, ...optional }, version: stored.version };
}

/** Notes how far a rotation is, provided that nobody else has noted anything since. May be repeated. */
export async function writeRotation(
  store: StateStore,
  cluster: string,
  rotation: Rotation,
  before: StoredRotation | undefined,
): Promise<StoredRotation> {
  const bytes = new TextEncoder().encode(`${JSON.stringify(rotation, undefined, 2)}\n`);
  const condition = ifUnchanged(before?.version);
  try {
    const { version } = await store.write(journalPath(cluster), bytes, condition);
    return { rotation, version };
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    // An earlier write of ours, whose answer was lost.
    const there = await readRotation(store, cluster);
    if (there === undefined || !isSameJson(there.rotation, rotation)) throw error;
    return there;
  }
}
