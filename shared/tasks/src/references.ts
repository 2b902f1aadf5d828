import { isRecord } from './record.ts';
import { type Json, type JsonObject, KNOWN_AFTER_APPLY, type Outputs, type Ref, type TaskId } from './task.ts';

/** Whether a value points at another task: an object of `ref` and, at most, `output`. */
export function isRef(value: Json): value is Json & Ref {
  if (!isRecord(value) || typeof value['ref'] !== 'string') return false;
  const keys = Object.keys(value);
  return keys.length === 1 || (keys.length === 2 && typeof value['output'] === 'string');
}

/** Every reference in a value, in the order in which they stand there. */
export function refsIn(value: Json): readonly Ref[] {
  const found: Ref[] = [];
  collect(value, found);
  return found;
}

function collect(value: Json, found: Ref[]): void {
  if (isRef(value)) found.push(value);
  else if (isArray(value)) for (const item of value) collect(item, found);
  else if (isRecord(value)) for (const key of Object.keys(value)) collect(value[key] ?? null, found);
}

/** Replaces references by outputs. A reference that only orders tasks stays. */
export function resolveRefs(props: JsonObject, output: (ref: Required<Ref>) => Json): JsonObject {
  return Object.fromEntries(Object.entries(props).map(([key, value]) => [key, resolve(value, output)]));
}

function resolve(value: Json, output: (ref: Required<Ref>) => Json): Json {
  if (isRef(value)) return value.output === undefined ? value : output({ ref: value.ref, output: value.output });
  if (isArray(value)) return value.map((item) => resolve(item, output));
  if (isRecord(value)) return resolveRefs(value, output);
  return value;
}

/** Looks up known outputs. A missing one reads KNOWN_AFTER_APPLY in a plan and is an error otherwise. */
export function outputLookup(outputs: ReadonlyMap<TaskId, Outputs>, mode: 'plan' | 'apply') {
  return ({ ref, output }: Required<Ref>): Json => {
    const value = outputs.get(ref)?.[output];
    if (value !== undefined) return value;
    if (mode === 'plan') return KNOWN_AFTER_APPLY;
    throw new Error(
      `${ref} yields no output "${output}" (it has: ${Object.keys(outputs.get(ref) ?? {}).join(', ') || 'none'})`,
    );
  };
}

export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
