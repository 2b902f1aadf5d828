import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { KINDS } from '@kopsctl/spec/kinds.ts';
import { nearestName } from '@kopsctl/spec/nearest-name.ts';
import type { Field } from '@kopsctl/spec/schema/field.ts';
import type { Rewrite } from '@kopsctl/spec/versions/rewrites.ts';
import { asRecord } from '@kopsctl/tasks/record.ts';
import { parsePath, type Step } from './field-path.ts';
import { readSetting } from './read-setting.ts';
import { inV1alpha2 } from './v1alpha3-paths.ts';

type Editable = Cluster | InstanceGroup;

/**
 * Applies `path=value` settings in their order, in the syntax of kops. Missing objects are created, values separated by
 * commas are appended to a list, and an index one past the end adds an item.
 */
export function setFields<T extends Editable>(object: T, settings: readonly string[]): T {
  return settings.reduce((edited, setting) => {
    const at = setting.indexOf('=');
    if (at < 0) throw fault(setting, 'it has no =', 'write path=value, e.g. spec.kubernetesVersion=1.35.0');
    const [path, text] = [setting.slice(0, at), setting.slice(at + 1)];
    return edit(edited, path, (field, old, rewrite) => {
      if (rewrite === undefined) return readSetting(field, text, old, path);
      const [read, known] = [rewrite.schema(field), old === undefined ? old : rewrite.toV1alpha3(old)];
      return rewrite.toV1alpha2(readSetting(read, text, known, path));
    });
  }, object);
}

/** Removes fields. A field that is not set is ignored; a field that does not exist is an error. */
export function unsetFields<T extends Editable>(object: T, paths: readonly string[]): T {
  return paths.reduce((edited, path) => withoutEmptyApi(edit(edited, path, () => undefined)), object);
}

/** In kops, an api without a field is none: it is an object of its own only in this version of the API. */
function withoutEmptyApi<T extends Editable>(object: T): T {
  if (object.kind !== 'Cluster' || object.spec.api === undefined || Object.keys(object.spec.api).length > 0)
    return object;
  const { api: _, ...spec } = object.spec;
  return { ...object, spec };
}

/** `rewrite` converts the value if the path is one of v1alpha3. */
type Change = (field: Field, old: unknown, rewrite: Rewrite | undefined) => unknown;

function edit<T extends Editable>(object: T, path: string, change: Change): T {
  const { path: inside, rewrite } = inV1alpha2(object.kind, path.replace(/^(cluster|instancegroup|ig)\./, ''));
  const changed = apply(object, KINDS[object.kind], parsePath(inside), {
    kind: object.kind,
    path,
    change: (field, old) => change(field, old, rewrite),
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- changed by its own schema, so it still is one
  return changed as T;
}

/** What is done to the field at the end of a path, as a person wrote it. */
interface FieldEdit {
  readonly kind: Editable['kind'];
  readonly path: string;
  readonly change: (field: Field, old: unknown) => unknown;
}

function apply(value: unknown, field: Field, steps: readonly Step[], wanted: FieldEdit): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return wanted.change(field, value);
  if (typeof field === 'string' || field.type === 'enum') {
    throw fault(wanted.path, 'it continues below a single value', everyField(wanted));
  }
  if (field.type === 'list') return applyToItems(listOf(value), field.item, step, rest, wanted);
  if (!('name' in step)) throw fault(wanted.path, 'it has an index where there is no list', everyField(wanted));
  const next = field.type === 'map' ? field.item : childOf(field.fields, step.name, wanted);
  const known = asRecord(value);
  const changed = apply(known[step.name], next, rest, wanted);
  if (changed !== undefined) return { ...known, [step.name]: changed };
  const { [step.name]: _, ...others } = known;
  return value === undefined ? undefined : others;
}

function applyToItems(
  items: readonly unknown[],
  item: Field,
  step: Step,
  rest: readonly Step[],
  wanted: FieldEdit,
): unknown {
  const { path } = wanted;
  if ('every' in step) {
    return items.map((one) => apply(one, item, rest, wanted)).filter((one) => one !== undefined);
  }
  if (!('index' in step)) throw fault(path, `it names a field of a list`, 'say which item: [0], or [*] for every one');
  if (step.index > items.length)
    throw fault(path, `the list has ${items.length} items`, `use [${items.length}] to add one`);
  const changed = apply(items[step.index], item, rest, wanted);
  if (step.index === items.length) return changed === undefined ? items : [...items, changed];
  return items.flatMap((one, index) => (index === step.index ? (changed === undefined ? [] : [changed]) : [one]));
}

function childOf(fields: Readonly<Record<string, Field>>, name: string, wanted: FieldEdit): Field {
  const child = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (child !== undefined) return child;
  const near = nearestName(name, Object.keys(fields));
  throw fault(
    wanted.path,
    `there is no field '${name}'`,
    near === undefined ? everyField(wanted) : `did you mean ${near}?`,
  );
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const everyField = ({ kind }: FieldEdit): string => `see \`kopsctl toolbox schema ${kind}\` for every field`;

const fault = (path: string, why: string, next: string) =>
  new ActionableError({ what: `set or unset ${path}`, why, next, isUsage: true });
