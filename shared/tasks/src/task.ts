/** Names a task within one run: its kind and name, e.g. `File/etc-hosts`, `aws/Vpc/main`. */
export type TaskId = `${string}/${string}`;

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/**
 * Points at another task. With `output` it stands for an output of that task and may be used wherever a value may;
 * without, it only orders the tasks. The needs of a task follow from the references in its properties and are stated
 * nowhere else.
 */
export interface Ref {
  readonly ref: TaskId;
  readonly output?: string;
}

/** A unit of desired state, as plain data: it can be saved, compared, signed and shipped. */
export interface Task {
  readonly kind: string;
  readonly name: string;
  readonly props: JsonObject;
}

export function taskId(task: { readonly kind: string; readonly name: string }): TaskId {
  return `${task.kind}/${task.name}`;
}

/** The value of a reference in a plan while the thing that it points at does not exist. */
export const KNOWN_AFTER_APPLY = '(known after apply)';

/** One property that differs. `from` absent: it is added; `to` absent: it is taken away. */
export interface FieldChange {
  readonly path: string;
  readonly from?: Json;
  readonly to?: Json;
}

/** One thing to be done, as plain data. */
export interface Step {
  readonly action: string;
  /** Completes the sentence "would …", e.g. `write /etc/hosts (mode 0644)`. */
  readonly summary: string;
  readonly changes?: readonly FieldChange[];
  /** A unified diff, for steps that replace a text. Never holds a secret. */
  readonly diff?: string;
}

export type Outputs = { readonly [name: string]: Json };

/** Something of ours that exists, as `listOwned` reports it. */
export interface Owned {
  readonly name: string;
  /** What to show a person, e.g. the cloud's id. */
  readonly description: string;
  readonly handle: Json;
}

/**
 * Teaches the engine one kind of task. Always used in this order:
 *
 *   find    reads what is there and changes nothing, so that a dry run is free of side effects;
 *   plan    compares it with what is wanted; pure; no steps = nothing to do;
 *   apply   carries out one step and decides nothing.
 *
 * `props` reach a handler with every reference resolved to its output (a pure ordering
 * reference stays as it is). In a plan an output may not be known yet and reads KNOWN_AFTER_APPLY;
 * a `find` that needs such a value returns `undefined`. Method syntax on purpose: it lets a handler of a more special
 * type stand in a list of `Handler<Env>`.
 */
export interface Handler<Env, Props = unknown, Actual = unknown, Planned extends Step = Step> {
  readonly kind: string;
  /** How many tasks of this kind may run at once in an apply. Default: 16. */
  readonly concurrency?: number;
  /** How long a task of this kind is tried in an apply, unless a person says otherwise, where that is longer than usual. */
  readonly deadlineMs?: number;
  /** Checks and types the props of a task; throws when the plan that made them is broken. */
  parse(props: JsonObject): Props;
  find(name: string, props: Props, env: Env, signal: AbortSignal): Promise<Actual | undefined>;
  plan(name: string, props: Props, actual: Actual | undefined): readonly Planned[];
  apply(step: Planned, name: string, props: Props, env: Env, signal: AbortSignal): Promise<void>;
  /**
   * The values that other tasks may refer to. Called with the result of `find`, which runs again after an apply. In a plan
   * that modifies the thing, the engine uses the current outputs: one that the change would alter belongs in
   * plannedOutputs too.
   */
  outputs?(name: string, props: Props, actual: Actual): Outputs;
  /** Whether the outputs above are known before the thing exists (a path, a name). */
  plannedOutputs?(name: string, props: Props): Outputs;
  /** What a person should know although nothing failed (a module that this host cannot load), from the last `find`. */
  warnings?(name: string, props: Props, actual: Actual | undefined): readonly string[];
  /** Every thing of this kind that this cluster owns. */
  listOwned?(env: Env, signal: AbortSignal): Promise<readonly Owned[]>;
  remove?(owned: Owned, env: Env, signal: AbortSignal): Promise<void>;
}
