import { isRecord } from '@kopsctl/tasks/record.ts';
import { list, map, type Field } from '../schema/field.ts';

/** How a value is spelled in each version. Throws a `CannotRewrite` if the other version has no spelling for it. */
export interface Rewrite {
  toV1alpha3(value: unknown): unknown;
  toV1alpha2(value: unknown): unknown;
  /** The v1alpha3 schema of a field with this schema in v1alpha2. */
  schema(field: Field): Field;
}

/** The reason why a value has no spelling in the other version. */
export class CannotRewrite extends Error {
  override name = 'CannotRewrite';
}

const same = (field: Field): Field => field;
const not = (value: unknown): unknown => (typeof value === 'boolean' ? !value : value);

/** v1alpha2 uses Master; all spellings mean one role. */
const CONTROL_PLANE = /^(master|control-?plane)$/i;
const role =
  (word: string) =>
  (value: unknown): unknown =>
    typeof value === 'string' && CONTROL_PLANE.test(value) ? word : value;
const each =
  (change: (value: unknown) => unknown) =>
  (value: unknown): unknown =>
    Array.isArray(value) ? value.map(change) : value;

/** Policies are keyed by the role that they apply to. */
const policyRole =
  (old: string, current: string) =>
  (value: unknown): unknown => {
    if (!isRecord(value)) return value;
    if (Object.hasOwn(value, old) && Object.hasOwn(value, current)) {
      throw new CannotRewrite(`'${old}' and '${current}' are one role: keep one of them`);
    }
    return fromEntries(Object.entries(value).map(([key, policy]) => [key === old ? current : key, policy]));
  };

/** Each is `name=value`. A claim may contain any characters, but no = in its name. */
function claimsOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const claims = value.map((claim: unknown): [string, string] => {
    const [, name, text] = /^([^=]*)=([\s\S]*)$/.exec(String(claim)) ?? [];
    if (name === undefined || text === undefined) throw new CannotRewrite(`'${String(claim)}' is not name=value`);
    return [name, text];
  });
  const twice = claims.find(([name], index) => claims.findIndex(([other]) => other === name) !== index);
  if (twice !== undefined) throw new CannotRewrite(`the claim '${twice[0]}' is there more than once`);
  return fromEntries(claims);
}

const REWRITES = {
  inverted: { toV1alpha3: not, toV1alpha2: not, schema: same },
  role: { toV1alpha3: role('ControlPlane'), toV1alpha2: role('Master'), schema: same },
  roles: { toV1alpha3: each(role('ControlPlane')), toV1alpha2: each(role('Master')), schema: same },
  policies: {
    toV1alpha3: policyRole('master', 'control-plane'),
    toV1alpha2: policyRole('control-plane', 'master'),
    schema: same,
  },
  'comma-separated': {
    toV1alpha3: (value) => (typeof value === 'string' ? value.split(',') : value),
    toV1alpha2: (value) => (Array.isArray(value) ? value.join(',') : value),
    schema: list,
  },
  claims: {
    toV1alpha3: claimsOf,
    toV1alpha2: (value) =>
      isRecord(value)
        ? Object.entries(value)
            .map(([name, text]) => `${name}=${String(text)}`)
            .toSorted()
        : value,
    schema: () => map('string'),
  },
} satisfies Readonly<Record<string, Rewrite>>;

export type RewriteName = keyof typeof REWRITES;

export const rewriteOf = (name: RewriteName): Rewrite => REWRITES[name];

/** A user may name an entry `__proto__`. It is an entry like any other. */
const fromEntries = (entries: readonly (readonly [string, unknown])[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(entries);
