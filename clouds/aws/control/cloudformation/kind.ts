import type { Json, JsonObject } from '@kopsctl/tasks/task.ts';
import type { AwsKind } from '../kinds/aws-kinds.ts';
import type { PropsOf } from '../kinds/aws-kinds.ts';

export interface CfnResource {
  /** Suffix of the logical id; absent for the main resource of a task. */
  readonly part?: string;
  /** `AWS::EC2::VPC` */
  readonly type: string;
  readonly properties: { readonly [name: string]: unknown };
  /** Logical ids of resources to create first, in addition to the referenced ones (DependsOn). */
  readonly after?: readonly string[];
}

/** A parameter of the stack, for a value that is known only in the account, such as the id of a hosted zone. */
export interface CfnParameter {
  readonly id: string;
  readonly type: string;
  readonly description: string;
}

/** What a kind can look up while it is rendered. */
export interface CfnRendering {
  /** The logical id of a task's resource. */
  readonly idOf: (kind: AwsKind, name: string) => string;
  /** A placeholder, inside a string, for a value that CloudFormation computes. */
  readonly token: (value: JsonObject) => string;
  /** The tasks of a kind, with their references replaced by tokens. */
  readonly tasks: <Kind extends AwsKind>(
    kind: Kind,
  ) => readonly { readonly name: string; readonly props: PropsOf<Kind> }[];
}

/**
 * How tasks of one kind are written in CloudFormation. References in props are strings, which are replaced by intrinsic
 * functions.
 */
export interface CfnKind<Kind extends AwsKind> {
  readonly parameters?: (props: PropsOf<Kind>, name: string, rendering: CfnRendering) => readonly CfnParameter[];
  readonly resources: (name: string, props: PropsOf<Kind>, rendering: CfnRendering) => readonly CfnResource[];
  /** The part of the task that CloudFormation cannot do, which is left to a direct update. */
  readonly left?: (props: PropsOf<Kind>, name: string) => string | undefined;
  /** The value that other tasks refer to; by default the Ref of the main resource. */
  readonly output?: (output: string, id: string, props: PropsOf<Kind>, name: string) => Json;
}

export type CfnKinds = { readonly [Kind in AwsKind]: CfnKind<Kind> };

export const getAtt = (id: string, attribute: string): JsonObject => ({ 'Fn::GetAtt': [id, attribute] });
export const ref = (id: string): JsonObject => ({ Ref: id });

/** A logical id consists of letters and digits. */
export const logicalId = (kind: string, name: string): string =>
  [kind.replace(/^aws\//, ''), ...name.split(/[^A-Za-z0-9]+/)]
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
