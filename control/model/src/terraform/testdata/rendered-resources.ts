import { isRef, resolveRefs } from '@kopsctl/tasks/references.ts';
import { type Task, taskId } from '@kopsctl/tasks/task.ts';
import type { Resource, TerraformKinds } from '../kind.ts';
import { expression } from '../value.ts';

/** The resources of tasks, before they are written as text. */
export function renderedResources(kinds: TerraformKinds, tasks: readonly Task[]): readonly Resource[] {
  const byId = new Map(tasks.map((task) => [taskId(task), task]));
  const link = (value: unknown) => {
    if (!isRef(value as never)) return value as string;
    const { ref, output = '' } = value as { ref: string; output?: string };
    const task = byId.get(ref as never);
    const kind = kinds[task?.kind ?? ''];
    if (task === undefined || kind === undefined) throw new Error(`${ref} is not rendered`);
    return kind.output(output, task.name, task.props as never);
  };
  const file = () => expression('file("x")');
  return tasks.flatMap(({ kind, name, props }) => {
    // What is in keysets is read from the state store before anything is rendered.
    const read = resolveRefs(props, (ref) => (ref.ref.startsWith('Keyset/') ? ref.output : { ...ref }));
    return kinds[kind]?.resources(name, read as never, { link, file, fileBase64: file, json: file }) ?? [];
  });
}
