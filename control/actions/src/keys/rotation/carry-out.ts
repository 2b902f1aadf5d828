import { distrusted, promoted, withPair } from '@kopsctl/pki/keyset-changes.ts';
import { readKeyset } from '@kopsctl/pki/keyset-store.ts';
import type { Keyset } from '@kopsctl/pki/keyset.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { type ActionContext, note } from '../../phases/action.ts';
import { withClusterLock } from '../../store/with-cluster-lock.ts';
import { changeKeyset } from '../change-keyset.ts';
import { newPair } from '../new-pair.ts';
import { noted } from './noted.ts';
import type { RotationStep } from './plan-rotation.ts';
import { type StoredRotation, writeRotation } from './rotation-journal.ts';

/** The keysets that are rotated, as they are now. */
export async function readRotated(
  store: StateStore,
  cluster: string,
  names: readonly string[],
): Promise<readonly Keyset[]> {
  const found = await Promise.all(names.map((name) => readKeyset(store, cluster, name)));
  return found.flatMap((one) => one?.keyset ?? []);
}

interface CarryingOut {
  readonly store: StateStore;
  readonly cluster: string;
  readonly next: Exclude<RotationStep, { action: 'roll' | 'wait' | 'nothing' }>;
  readonly stored: StoredRotation;
}

/**
 * Each keyset is changed by one conditional write: a step that is cut short is planned again for the others. If it
 * was cut short after the write of one, that one is published before the checkpoint is passed: plans are made for what is
 * published.
 */
export async function carryOut(
  context: ActionContext,
  { store, cluster, next, stored }: CarryingOut,
): Promise<StoredRotation> {
  await withClusterLock(store, cluster, 'keypair', context, async (signal) => {
    const change = (name: string, how: (keyset: Keyset) => Keyset | Promise<Keyset>) =>
      changeKeyset(store, cluster, name, how, signal);
    switch (next.action) {
      case 'create':
        for (const name of next.keysets) {
          await change(name, async (keyset) =>
            withPair(keyset, await newPair(name, {}, { nowMs: Date.now(), env: context.env }), false),
          );
        }
        return;
      case 'promote':
        for (const [name, id] of Object.entries(next.pairs)) await change(name, (keyset) => promoted(keyset, id));
        return;
      case 'distrust':
        for (const name of next.keysets) await change(name, (keyset) => distrusted(keyset, [], Date.now()));
        return;
      case 'advance':
        for (const { name } of await readRotated(store, cluster, Object.keys(next.rotation.keysets)))
          await change(name, (keyset) => keyset);
    }
  });
  if (next.action !== 'advance') return stored;
  note(context, `Rotation of ${cluster}: ${next.rotation.phase}`);
  const isEnd = next.rotation.phase === 'done';
  const rotation = { ...next.rotation, ...(isEnd && { isTold: false }) };
  return noted(context, () => writeRotation(store, cluster, rotation, stored));
}
