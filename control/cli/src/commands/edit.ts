import { editObject as edit } from '@kopsctl/actions/edit-object.ts';
import type { OwnKind } from '@kopsctl/actions/store/object-paths.ts';
import { actionContext } from '../context.ts';
import { settingsOf } from '../flags/create-cluster-flags.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { printEdited } from '../output/print-edited.ts';

export interface EditOptions {
  readonly set?: readonly string[];
  readonly unset?: readonly string[];
  readonly dryRun?: boolean | undefined;
}

/** Changes a Cluster or an instance group: by the settings given, else in the person's editor. */
export async function editObject(
  global: GlobalOptions,
  kind: OwnKind,
  name: string | undefined,
  options: EditOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const change = { set: settingsOf(options.set), unset: options.unset ?? [] };
  const isByHand = change.set.length + change.unset.length === 0;
  const how = isByHand ? { openEditor: (await import('../open-editor.ts')).openEditor(env) } : change;
  const { dryRun = false } = options;
  const edited = await edit(actionContext(global, env), { kind, name, edit: how, dryRun });
  return printEdited(global, edited, dryRun);
}
