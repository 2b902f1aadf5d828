import type { OwnKind } from '@kopsctl/apply/object-paths.ts';
import { settingsOf } from '../create-cluster-flags.ts';
import { nextCommand } from '../next-command.ts';
import { chooseCluster, openStateStore } from '../open.ts';
import type { GlobalOptions } from '../program.ts';

interface EditOptions {
  readonly set?: readonly string[];
  readonly unset?: readonly string[];
}

/** Changes a Cluster or an instance group: by the settings given, else in the person's editor. */
export async function editObject(
  global: GlobalOptions,
  kind: OwnKind,
  argument: string | undefined,
  options: EditOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const store = await openStateStore(global);
  const cluster = await chooseCluster(global, kind === 'Cluster' ? argument : undefined, store);
  const name = kind === 'Cluster' ? cluster : (argument ?? '');
  const change = { set: settingsOf(options.set), unset: options.unset ?? [] };
  let outcome: 'changed' | 'unchanged';
  if (change.set.length + change.unset.length > 0) {
    const { setObjectFields } = await import('@kopsctl/apply/set-object-fields.ts');
    outcome = await setObjectFields(store, { cluster, kind, name }, change);
  } else {
    const { readStoredObject } = await import('@kopsctl/apply/stored-object.ts');
    const { editByHand } = await import('@kopsctl/apply/edit-by-hand.ts');
    const { openEditor } = await import('../open-editor.ts');
    outcome = await editByHand(store, await readStoredObject(store, cluster, kind, name), openEditor(env));
  }
  const title = `${kind.toLowerCase()}/${name}`;
  process.stdout.write(
    outcome === 'unchanged'
      ? `${title} stays as it is\n`
      : `Changed ${title}. Next: ${await nextCommand(store, cluster)}\n`,
  );
  return 0;
}
