import { codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { NotYet, PermanentError } from './failure.ts';
import type { Handler, JsonObject, Outputs, Step } from './task.ts';

/** What one attempt found and did. */
export interface Attempt {
  readonly steps: readonly Step[];
  readonly outputs: Outputs;
  readonly warnings: readonly string[];
}

export interface AttemptInput<Env> {
  readonly handler: Handler<Env>;
  readonly name: string;
  /** With every reference resolved. */
  readonly props: JsonObject;
  readonly env: Env;
  readonly mode: 'plan' | 'apply';
  readonly signal: AbortSignal;
  readonly onPlanned: (steps: readonly Step[], existed: boolean) => void;
  readonly onApplied: (step: Step) => void;
}

/**
 * One attempt at one task: find, plan and, in an apply, carry out each step and look again.
 * After an apply the plan must be empty; otherwise the handler has failed.
 */
export async function converge<Env>(input: AttemptInput<Env>): Promise<Attempt> {
  const { handler, name, env, mode, signal } = input;
  const props = parseProps(handler, name, input.props);
  const found = await findIn(input, props);
  const steps = handler.plan(name, props, found);
  const existed = found !== undefined;
  const planned = handler.plannedOutputs?.(name, props) ?? {};
  input.onPlanned(steps, existed);

  if (mode === 'plan' || steps.length === 0) {
    const current = outputsOf(handler, name, props, found);
    const outputs = steps.length === 0 ? { ...planned, ...current } : { ...current, ...planned };
    return { steps, outputs, warnings: handler.warnings?.(name, props, found) ?? [] };
  }

  for (const step of steps) {
    signal.throwIfAborted();
    await handler.apply(step, name, props, env, signal);
    input.onApplied(step);
  }
  const reached = await handler.find(name, props, env, signal);
  const left = handler.plan(name, props, reached);
  if (left.length > 0) {
    const differing = left.map((step) => step.summary).join('; ');
    throw new Error(`applied ${steps.length} step(s), but ${handler.kind}/${name} still differs: would ${differing}`);
  }
  const outputs = { ...planned, ...outputsOf(handler, name, props, reached) };
  return { steps, outputs, warnings: handler.warnings?.(name, props, reached) ?? [] };
}

function parseProps<Env>(handler: Handler<Env>, name: string, props: JsonObject): unknown {
  try {
    return handler.parse(props);
  } catch (thrown) {
    throw new PermanentError({
      what: `read the properties of ${handler.kind}/${name}`,
      why: messageOf(thrown),
      next: 'this is a bug in what made the plan: compare the properties with those this kind takes',
      cause: thrown,
    });
  }
}

async function findIn<Env>(input: AttemptInput<Env>, props: unknown): Promise<unknown> {
  try {
    return await input.handler.find(input.name, props, input.env, input.signal);
  } catch (thrown) {
    // Waiting is useless in a plan: the task that would make the thing was not applied.
    if (input.mode === 'plan' && thrown instanceof NotYet) return undefined;
    if (input.mode === 'plan' && isForbidden(thrown)) {
      throw new PermanentError({
        what: `look at ${input.handler.kind}/${input.name}`,
        why: messageOf(thrown),
        next: 'run it as a user who may read this, e.g. root',
        cause: thrown,
      });
    }
    throw thrown;
  }
}

/** Trying again does not help a user without the right to read; the system's error may be wrapped. */
function isForbidden(thrown: unknown): boolean {
  const code = codeOf(thrown);
  if (code === 'EACCES' || code === 'EPERM') return true;
  return thrown instanceof Error && thrown.cause !== undefined && isForbidden(thrown.cause);
}

function outputsOf<Env>(handler: Handler<Env>, name: string, props: unknown, actual: unknown): Outputs {
  return actual === undefined ? {} : (handler.outputs?.(name, props, actual) ?? {});
}
