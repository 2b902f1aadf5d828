import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Origins } from './complete.ts';
import { leavesOf } from './leaves.ts';
import { KINDS, type Kind } from './kinds.ts';
import { movedFieldHint } from './moved-fields.ts';
import { nearestName } from './nearest-name.ts';
import type { Field } from './schema/field.ts';
import { translatePath } from './versions/translate-path.ts';

/** Where one value of a completed object came from. */
export interface Explained {
  readonly path: string;
  readonly value: unknown;
  readonly origin: string;
}

/** An object as it was written, as it was completed, and which rule set what. */
export interface Completion {
  readonly written: unknown;
  readonly completed: unknown;
  readonly origins: Origins;
  /** The values that `create cluster` chose. A value that was changed later counts as set by the user. */
  readonly inferred?: InferredValues;
  /** By path, why a field has no value, such as that each node has its own. */
  readonly withoutValue?: Readonly<Record<string, string>>;
}

/** By path, the values that `create cluster` chose without a flag. */
export type InferredValues = Readonly<Record<string, unknown>>;

/** The origin of a field that has no value. */
const NOTHING = 'not set, and no rule sets it';

/**
 * Returns where the value at a path came from; for an object or list, where each value in it came from. Also accepts the
 * field names of v1alpha3.
 *
 * @throws ActionableError if the kind has no such field
 */
export function explainPath(kind: Kind, asked: string, completion: Completion): readonly Explained[] {
  const { completed, withoutValue = {} } = completion;
  const own = asked.replace(/^(cluster|instancegroup|ig)\.(?=spec)/, '');
  const steps = stepsOf(own);
  const path = fieldAt(KINDS[kind], steps) === undefined ? translatePath(kind, own, 'v1alpha3').path : own;
  const here = stepsOf(path);
  if (fieldAt(KINDS[kind], here) === undefined) throw noSuchField(kind, own);
  const value = valueAt(completed, here);
  if (value === undefined) return [{ path, value, origin: withoutValue[path] ?? NOTHING }];
  return leavesOf(value, path).map((leaf) => ({ ...leaf, origin: originOf(leaf.path, completion) }));
}

/** A rule is recorded for the value that it set, or for an empty object or list as a whole. */
function originOf(path: string, { written, origins, inferred = {} }: Completion): string {
  for (let at = path; at !== ''; at = at.replace(/(\.[^.[\]]+|\[[^[\]]*\]|^[^.[\]]+)$/, '')) {
    const rule = Object.hasOwn(origins, at) ? origins[at] : undefined;
    if (rule !== undefined) return rule;
    const value = at === path ? valueAt(written, stepsOf(at)) : undefined;
    if (value !== undefined) {
      const isInferred = Object.hasOwn(inferred, at) && JSON.stringify(inferred[at]) === JSON.stringify(value);
      return isInferred ? 'set by create cluster' : 'set by you';
    }
    if (!/(\.[^.[\]]+|\[[^[\]]*\])$/.test(at)) break;
  }
  return 'set by you, spelled as kops does';
}

type Step = string | number;

const stepsOf = (path: string): readonly Step[] =>
  (path.match(/[^.[\]"]+|\[\d+\]|\["(?:[^"\\]|\\.)*"\]/g) ?? []).map((token) => {
    if (/^\[\d+\]$/.test(token)) return Number(token.slice(1, -1));
    return token.startsWith('["') ? (JSON.parse(token.slice(1, -1)) as string) : token;
  });

const valueAt = (value: unknown, steps: readonly Step[]): unknown =>
  steps.reduce<unknown>(
    (at, step) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, step) ? Reflect.get(at, step) : undefined,
    value,
  );

function fieldAt(schema: Field, steps: readonly Step[]): Field | undefined {
  return steps.reduce<Field | undefined>((at, step) => {
    if (at === undefined || typeof at === 'string' || at.type === 'enum') return undefined;
    if (at.type === 'list') return typeof step === 'number' ? at.item : undefined;
    if (at.type === 'map') return at.item;
    return Object.hasOwn(at.fields, step) ? at.fields[step] : undefined;
  }, schema);
}

function noSuchField(kind: Kind, path: string): ActionableError {
  const steps = stepsOf(path);
  const known = steps.findIndex((_, index) => fieldAt(KINDS[kind], steps.slice(0, index + 1)) === undefined);
  const parent = fieldAt(KINDS[kind], steps.slice(0, known));
  const wrong = String(steps[known]);
  const names =
    parent !== undefined && typeof parent !== 'string' && parent.type === 'object' ? Object.keys(parent.fields) : [];
  const near = nearestName(wrong, names);
  return new ActionableError({
    what: `explain ${path}`,
    why: `a ${kind} has no field '${wrong}' there`,
    next:
      movedFieldHint(kind, path, 'v1alpha2') ??
      (near === undefined
        ? 'name one like spec.podCIDR or spec.etcdClusters[0].version'
        : `did you mean ${path.replace(wrong, near)}?`),
    isUsage: true,
  });
}
