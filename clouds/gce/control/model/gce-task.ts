import type { Output } from '@kopsctl/model/output.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import type { GceKind, GceKinds } from '../kinds/gce-kinds.ts';

/** Creates a task whose props match the type of its kind. */
export function gceTask<Kind extends GceKind>(kind: Kind, name: string, props: GceKinds[Kind]): Task {
  const json = Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined));
  return { kind, name, props: json };
}

/** A reference to an output of another task. */
export function outputOf(kind: GceKind, name: string, output: string): Output {
  return { ref: `${kind}/${name}`, output };
}
