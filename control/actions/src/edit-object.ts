import type { OwnKind } from './store/object-paths.ts';
import type { ActionContext } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { type Edit, type EditedObject, editStoredObject } from './phases/edit-stored-object.ts';

export interface EditRequest {
  readonly kind: OwnKind;
  /** The name of the instance group, or of the cluster where one was given. */
  readonly name: string | undefined;
  readonly edit: Edit;
  /** Everything is checked as if it were written, and nothing is. */
  readonly dryRun?: boolean;
}

/** Changes a Cluster or an instance group: by the settings given, else in the person's editor. */
export async function editObject(
  context: ActionContext,
  { kind, name, edit, dryRun = false }: EditRequest,
): Promise<EditedObject> {
  const { store, cluster } = await chooseCluster(context, kind === 'Cluster' ? name : undefined);
  const object = kind === 'Cluster' ? cluster : (name ?? '');
  return editStoredObject(context, { store, cluster, kind, name: object, dryRun }, edit);
}
