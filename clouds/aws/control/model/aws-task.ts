import type { AwsKind, AwsKinds } from '../kinds/aws-kinds.ts';
import type { Output } from '@kopsctl/model/output.ts';
import type { Task } from '@kopsctl/tasks/task.ts';

/** Creates a task whose props match the type of its kind. */
export function awsTask<Kind extends AwsKind>(kind: Kind, name: string, props: AwsKinds[Kind]): Task {
  const json = Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined));
  return { kind, name, props: json };
}

/** A reference to an output of another task. */
export function outputOf(kind: AwsKind, name: string, output: string): Output {
  return { ref: `${kind}/${name}`, output };
}
