import type { JsonObject } from '@kopsctl/tasks/task.ts';
import type { Body, Expression, Value } from './value.ts';

/** A resource or data source of a Terraform configuration. */
export interface Resource {
  readonly mode: 'resource' | 'data';
  readonly type: string;
  readonly name: string;
  readonly body: Body;
}

/** What a kind can use while it is rendered. */
export interface Rendering {
  /** The expression for a reference to another task, or the text itself. */
  readonly link: (value: unknown) => Value;
  /**
   * Adds a file to the configuration and returns the expression that reads it. The file's name tells what it is and which
   * resource it belongs to.
   */
  readonly file: (resource: string, name: string, field: string, content: string) => Expression;
  /** The same, but read as base64. */
  readonly fileBase64: (resource: string, name: string, field: string, content: string) => Expression;
  /** A JSON document: a file, or an expression if it contains outputs of other tasks. */
  readonly json: (resource: string, name: string, field: string, document: JsonObject) => Expression;
}

/** Renders one kind of task for Terraform. */
export interface TerraformKind<Props> {
  /** The resources for a task. None if it exists already and is only referred to. */
  resources(name: string, props: Props, rendering: Rendering): readonly Resource[];
  /** How others refer to an output of the task. */
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
