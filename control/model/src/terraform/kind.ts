import type { JsonObject } from '@kopsctl/tasks/task.ts';
import type { Body, Expression, Value } from './value.ts';

/** A resource, or a data source, of a Terraform configuration. */
export interface Resource {
  readonly mode: 'resource' | 'data';
  readonly type: string;
  readonly name: string;
  readonly body: Body;
}

/** What a kind may ask while it is rendered. */
export interface Rendering {
  /** A reference to another task, or the text itself. */
  readonly link: (value: unknown) => Value;
  /** A file beside the configuration, and the expression that reads it. A file's name says whose it is and what. */
  readonly file: (resource: string, name: string, field: string, content: string) => Expression;
  /** The same, read as base64. */
  readonly fileBase64: (resource: string, name: string, field: string, content: string) => Expression;
  /** A JSON document: a file, or, where other tasks' outputs are in it, an expression. */
  readonly json: (resource: string, name: string, field: string, document: JsonObject) => Expression;
}

/** Teaches Terraform's target one kind of task. */
export interface TerraformKind<Props> {
  /** The resources that stand for a task; none for what exists already and is only referred to. */
  resources(name: string, props: Props, rendering: Rendering): readonly Resource[];
  /** How others refer to what the task yields. */
  output(output: string, name: string, props: Props): Value;
}

/** By kind of task. */
export type TerraformKinds = Readonly<Record<string, TerraformKind<never>>>;

/** A block at the top of a configuration: `resource "aws_vpc" "main" { … }`. */
export interface TopBlock {
  readonly type: string;
  readonly labels: readonly string[];
  readonly body: Body;
}
