import type { Json, JsonObject } from '@kopsctl/tasks/task.ts';
import type { AwsKind } from '../kinds/aws-kinds.ts';
import type { PropsOf } from '../kinds/resolved.ts';

/** A resource of a template. */
export interface CfnResource {
  /** What is added to the task's own logical id; empty for its main resource. */
  readonly part?: string;
  /** `AWS::EC2::VPC` */
  readonly type: string;
  readonly properties: { readonly [name: string]: unknown };
  /** Logical ids that come first though nothing refers to them. */
  readonly after?: readonly string[];
}

/** What a person says when the stack is made: what only the account can tell. */
export interface CfnParameter {
  readonly id: string;
  readonly type: string;
  readonly description: string;
}

/** What a kind may ask while it is rendered. */
export interface CfnRendering {
  /** The logical id of a task's resource. */
  readonly idOf: (kind: AwsKind, name: string) => string;
  /** Stands in a string's place for what the template computes. */
  readonly token: (value: JsonObject) => string;
  /** The tasks of a kind, their references turned into tokens. */
  readonly tasks: <Kind extends AwsKind>(
    kind: Kind,
  ) => readonly { readonly name: string; readonly props: PropsOf<Kind> }[];
}

/** Teaches CloudFormation's target one kind of task. References in props are strings, which become what they stand for. */
export interface CfnKind<Kind extends AwsKind> {
  readonly parameters?: (props: PropsOf<Kind>, name: string) => readonly CfnParameter[];
  readonly resources: (name: string, props: PropsOf<Kind>, rendering: CfnRendering) => readonly CfnResource[];
  /** What others refer to; without it, the main resource's Ref. */
  readonly output?: (output: string, id: string, props: PropsOf<Kind>, name: string) => Json;
}

export type CfnKinds = { readonly [Kind in AwsKind]: CfnKind<Kind> };

export const getAtt = (id: string, attribute: string): JsonObject => ({ 'Fn::GetAtt': [id, attribute] });
export const ref = (id: string): JsonObject => ({ Ref: id });

/** A logical id: letters and digits alone. */
export const logicalId = (kind: string, name: string): string =>
  [kind.replace(/^aws\//, ''), ...name.split(/[^A-Za-z0-9]+/)]
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
