import type { StateStore } from '@kopsctl/state-store/store.ts';
import { readCluster } from '../store/cluster-store.ts';
import type { OpenEditor } from '../spec/edit-by-hand.ts';
import { type OwnKind, titleOf } from '../store/object-paths.ts';
import { readStoredObject, type WrittenObject } from '../store/stored-object.ts';
import { type ActionContext, inPhase } from './action.ts';
import { type MakingCommand, makingCommand } from './making-command.ts';

/** Fields that are set and unset, or the editor in which the person changes the object. */
export type Edit =
  | { readonly set: readonly string[]; readonly unset: readonly string[] }
  | { readonly openEditor: OpenEditor };

export interface EditedObject extends WrittenObject {
  readonly title: string;
  readonly next: MakingCommand;
}

export interface EditTarget {
  /** Everything is checked as if it were written, and nothing is. */
  readonly dryRun?: boolean;
  readonly store: StateStore;
  readonly cluster: string;
  readonly kind: OwnKind;
  readonly name: string;
}

/** Changes a stored object and checks the result, over exactly what was read. */
export async function editStoredObject(
  context: ActionContext,
  { store, cluster, kind, name, dryRun = false }: EditTarget,
  edit: Edit,
): Promise<EditedObject> {
  const written = await inPhase(context, 'change the object', async () => {
    if ('openEditor' in edit) {
      const { editByHand } = await import('../spec/edit-by-hand.ts');
      return editByHand(store, await readStoredObject(store, cluster, kind, name), edit.openEditor, dryRun);
    }
    const { setObjectFields } = await import('../spec/set-object-fields.ts');
    return setObjectFields(store, { cluster, kind, name }, { ...edit, dryRun });
  });
  const next =
    written.outcome === 'changed' && !dryRun ? makingCommand((await readCluster(store, cluster)).cluster) : undefined;
  return { title: titleOf(kind, name), ...written, next };
}
