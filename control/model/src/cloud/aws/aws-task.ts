import type { AwsKind, AwsKinds } from '@kopsctl/clouds/aws/kinds/aws-kinds.ts';
import type { Output } from '@kopsctl/clouds/aws/kinds/output.ts';
import type { Task } from '@kopsctl/tasks/task.ts';

/** Makes a task, its props checked against the kind's contract. */
export function awsTask<Kind extends AwsKind>(kind: Kind, name: string, props: AwsKinds[Kind]): Task {
  const json = Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined));
  return { kind, name, props: json };
}

/** What another task yields. */
export function outputOf(kind: AwsKind, name: string, output: string): Output {
  return { ref: `${kind}/${name}`, output };
}
