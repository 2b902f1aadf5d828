import type { AnswerFields } from '@kopsctl/google/answer-fields.ts';
import { differences } from '@kopsctl/tasks/differences.ts';
import { PermanentError } from '@kopsctl/tasks/failure.ts';
import {
  type FieldChange,
  type Handler,
  type JsonObject,
  type Outputs,
  type Owned,
  type Step,
} from '@kopsctl/tasks/task.ts';
import type { GceKind, PropsOf } from '../kinds/gce-kinds.ts';
import { insert, read, remove, type ResourcePath } from './compute-calls.ts';
import type { GceCloud, GceEnv } from './gce-cloud.ts';
import { doing } from './google-error.ts';

interface ResourceStep extends Step {
  readonly action: 'create' | 'update';
}

/** A resource of the cluster; the handle identifies it at Google. */
export interface OwnedResource extends Owned {
  readonly handle: string;
}

/** A resource that exists, with what Google needs to know about it for a change. */
export interface FoundAt<Found> {
  readonly path: ResourcePath;
  readonly facts: Found;
}

/** How one kind of resource of Compute Engine is found, compared, changed and deleted. Names identify them. */
export interface GceResource<Kind extends GceKind, Found> {
  readonly kind: Kind;
  /** The kind in a sentence, e.g. `firewall rule`. */
  readonly noun: string;
  /** Where it is; undefined in a plan while that depends on what does not exist yet. */
  readonly path: (props: PropsOf<Kind>, gce: GceCloud) => ResourcePath | undefined;
  readonly parse: (answer: AnswerFields) => Found;
  /** How long one of them is tried, where that may take a long time. */
  readonly deadlineMs?: number;
  /** The managed fields as wanted and as found; absent for a field that Google may choose. */
  readonly wanted: (props: PropsOf<Kind>) => JsonObject;
  readonly present: (found: Found, props: PropsOf<Kind>) => JsonObject;
  /** Fields that cannot change after creation, by path. Absent: all of them. */
  readonly changeable?: readonly string[];
  /** What is created, without its name. Absent for resources of others, which must exist. */
  readonly body: (props: PropsOf<Kind>) => object | undefined;
  /** True where Google does not take every field of a new resource: the rest is set right after it. */
  readonly isMadeBare?: boolean;
  readonly update?: (
    change: { readonly path: ResourcePath; readonly props: PropsOf<Kind>; readonly changed: ReadonlySet<string> },
    found: Found,
    gce: GceCloud,
    signal: AbortSignal,
  ) => Promise<void>;
  /** What other tasks refer to, if it is known only from the resource; the path of the resource is the output `link`. */
  readonly outputs?: (found: Found) => Outputs;
  /** Every resource of this kind that the cluster owns. */
  readonly owned?: (gce: GceCloud, signal: AbortSignal) => Promise<readonly OwnedResource[]>;
  /** How one of them is removed, if not by deleting it. */
  readonly release?: (owned: OwnedResource, gce: GceCloud, signal: AbortSignal) => Promise<void>;
}

/** A handler for a kind of resource of Compute Engine. */
export function resourceHandler<Kind extends GceKind, Found>(
  resource: GceResource<Kind, Found>,
): Handler<GceEnv, PropsOf<Kind>, FoundAt<Found>, ResourceStep> {
  const { kind, noun, owned } = resource;
  const find = async (props: PropsOf<Kind>, gce: GceCloud, signal: AbortSignal) => {
    const path = resource.path(props, gce);
    const answer = path && (await read(gce, path, signal));
    if (path === undefined || answer === undefined) return undefined;
    return { path, facts: resource.parse(answer) };
  };
  return {
    kind,
    ...(resource.deadlineMs !== undefined && { deadlineMs: resource.deadlineMs }),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made by gceTask, which holds it to the same contract
    parse: (props) => props as PropsOf<Kind>,

    find: (name, props, { gce }, signal) => doing(`look for ${noun} ${name}`, () => find(props, gce, signal)),

    plan(name, props, found) {
      if (found === undefined) {
        if (resource.body(props) === undefined) throw missing(noun, name);
        return [{ action: 'create', summary: `create ${noun} ${name}` }];
      }
      const changes = differences(resource.wanted(props), resource.present(found.facts, props));
      if (changes.length === 0) return [];
      refuseFixed(resource, name, changes);
      return [{ action: 'update', summary: `change ${noun} ${name}`, changes }];
    },

    async apply({ action }, name, props, { gce }, signal) {
      const path = resource.path(props, gce);
      if (path === undefined) throw new Error(`${kind}/${name} has no place`);
      if (action === 'create') {
        await doing(`create ${noun} ${name}`, () => insert(gce, path, resource.body(props) ?? {}, signal));
        if (resource.isMadeBare !== true) return;
      }
      await doing(`change ${noun} ${name}`, async () => {
        const found = await find(props, gce, signal);
        if (found === undefined) throw new Error(`${noun} ${name} disappeared before it could be changed`);
        const { facts } = found;
        const changes = differences(resource.wanted(props), resource.present(facts, props));
        if (changes.length === 0) return;
        const changed = new Set(changes.map(({ path: field }) => topOf(field)));
        await resource.update?.({ path, props, changed }, facts, gce, signal);
      });
    },

    outputs: (_name, _props, found) => ({ link: found.path, ...resource.outputs?.(found.facts) }),
    ...(owned && {
      listOwned: ({ gce }, signal) => doing(`list the ${noun}s of the cluster`, () => owned(gce, signal)),
      remove: ({ name, description, handle }, { gce }, signal) =>
        doing(`delete ${description}`, async () => {
          if (typeof handle !== 'string') throw new Error(`${description} has no handle`);
          if (resource.release === undefined) await remove(gce, handle, signal);
          else await resource.release({ name, description, handle }, gce, signal);
        }),
    }),
  };
}

/** The field of a change: `allow` of `allow[0].ports`. */
const topOf = (path: string): string => path.replace(/[.[].*$/s, '');

const missing = (noun: string, name: string): PermanentError =>
  new PermanentError({
    what: `use the ${noun} ${name}`,
    why: 'it does not exist, and kopsctl does not create shared resources',
    next: 'check the name in the spec, and that this account may see it',
  });

function refuseFixed<Kind extends GceKind, Found>(
  { noun, changeable = [] }: GceResource<Kind, Found>,
  name: string,
  changes: readonly FieldChange[],
): void {
  const change = changes.find(({ path }) => !changeable.includes(topOf(path)));
  if (change === undefined) return;
  const text = (value: unknown) => JSON.stringify(value) ?? 'nothing';
  throw new PermanentError({
    what: `change ${noun} ${name}`,
    why: `Google cannot change ${change.path} from ${text(change.from)} to ${text(change.to)} after creation`,
    next: 'put the old value back into the spec, or delete it by hand and apply again',
  });
}
