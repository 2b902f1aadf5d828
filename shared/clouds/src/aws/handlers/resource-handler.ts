import { differences } from '@kopsctl/tasks/differences.ts';
import { NotYet, PermanentError } from '@kopsctl/tasks/failure.ts';
import {
  type FieldChange,
  type Handler,
  type JsonObject,
  KNOWN_AFTER_APPLY,
  type Outputs,
  type Owned,
  type Step,
} from '@kopsctl/tasks/task.ts';
import type { AwsKind } from '../kinds/aws-kinds.ts';
import type { PropsOf } from '../kinds/resolved.ts';
import type { AwsCloud, AwsEnv } from './aws-cloud.ts';
import { explained, isAmbiguous } from './aws-error.ts';

/** One thing to be done with a resource that exists or does not. */
export interface ResourceStep extends Step {
  readonly action: 'create' | 'update';
}

/** Something of the cluster's; the handle is what AWS knows it by. */
export interface OwnedResource extends Owned {
  readonly handle: string;
}

/** One kind of AWS resource. */
export interface AwsResource<Kind extends AwsKind, Found> {
  readonly kind: Kind;
  /** In a sentence: `VPC`. */
  readonly noun: string;
  /** What it is part of: while that is not there, neither is it. */
  readonly within?: readonly (string & keyof PropsOf<Kind>)[];
  readonly find: (task: AwsTask<PropsOf<Kind>>, aws: AwsCloud) => Promise<Found | undefined>;
  /** The fields that are kept as they are wanted, and those of what is there: `undefined` for what AWS may choose. */
  readonly wanted: (props: PropsOf<Kind>, found: Found) => JsonObject;
  readonly present: (found: Found, props: PropsOf<Kind>) => JsonObject;
  /** Fields that AWS cannot change, by path. */
  readonly fixed?: readonly string[];
  /** It is made with less than is wanted of it, and changed at once. */
  readonly isMadeBare?: boolean;
  /** Makes it; the id, where it is found by that before it is found by anything else. */
  readonly create: (task: AwsTask<PropsOf<Kind>>, aws: AwsCloud) => Promise<string | void>;
  readonly update?: (
    task: AwsTask<PropsOf<Kind>>,
    found: Found,
    changes: readonly FieldChange[],
    aws: AwsCloud,
  ) => Promise<void>;
  readonly outputs?: (found: Found, props: PropsOf<Kind>) => Outputs;
  readonly plannedOutputs?: (props: PropsOf<Kind>) => Outputs;
  /** Everything of this kind that carries the cluster's tag. */
  readonly owned?: (aws: AwsCloud) => Promise<readonly OwnedResource[]>;
  readonly remove?: (owned: OwnedResource, aws: AwsCloud) => Promise<void>;
}

export interface AwsTask<Props> {
  /** Kind and name. */
  readonly id: string;
  readonly name: string;
  readonly props: Props;
}

/** Teaches the engine a kind of AWS resource. */
export function resourceHandler<Kind extends AwsKind, Found>(
  resource: AwsResource<Kind, Found>,
): Handler<AwsEnv, PropsOf<Kind>, Found, ResourceStep> {
  const { kind, noun } = resource;
  const task = (name: string, props: PropsOf<Kind>) => ({ id: `${kind}/${name}`, name, props });
  const doing = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (thrown) {
      throw explained(thrown, what);
    }
  };
  const changesOf = (props: PropsOf<Kind>, found: Found) =>
    differences(resource.wanted(props, found), resource.present(found, props));

  const update = async (one: AwsTask<PropsOf<Kind>>, aws: AwsCloud) => {
    const found = await resource.find(one, aws);
    if (found === undefined) throw new Error(`${noun} ${one.name} went away while it was to be changed`);
    const changes = changesOf(one.props, found);
    if (changes.length > 0) await resource.update?.(one, found, changes, aws);
  };

  return {
    kind,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made by awsTask, which holds it to the same contract
    parse: (props) => props as PropsOf<Kind>,

    find: (name, props, { aws }) =>
      doing(`look for ${noun} ${name}`, async () => {
        if (resource.within?.some((part) => props[part] === KNOWN_AFTER_APPLY) === true) return undefined;
        const found = await resource.find(task(name, props), aws);
        if (found === undefined && aws.made.isDoubtful(`${kind}/${name}`)) {
          throw new NotYet(
            `${noun} ${name} may have been made by a request that got no answer`,
            'it is made again if it does not turn up within seconds',
          );
        }
        return found;
      }),

    plan(name, props, found) {
      if (found === undefined) return [{ action: 'create', summary: `create ${noun} ${name}` }];
      const changes = changesOf(props, found);
      if (changes.length === 0) return [];
      refuseFixed(resource, name, changes);
      return [{ action: 'update', summary: `change ${noun} ${name}`, changes }];
    },

    async apply(step, name, props, { aws }) {
      const one = task(name, props);
      if (step.action === 'create') {
        await doing(`create ${noun} ${name}`, async () => {
          try {
            const id = await resource.create(one, aws);
            if (typeof id === 'string') aws.made.remember(one.id, id);
          } catch (thrown) {
            if (isAmbiguous(thrown)) aws.made.doubt(one.id);
            throw thrown;
          }
          if (resource.isMadeBare === true) await update(one, aws);
        });
        return;
      }
      await doing(`change ${noun} ${name}`, async () => {
        await update(one, aws);
      });
    },

    ...(resource.outputs && { outputs: (_name, props, found) => resource.outputs?.(found, props) ?? {} }),
    ...(resource.plannedOutputs && { plannedOutputs: (_name, props) => resource.plannedOutputs?.(props) ?? {} }),
    ...(resource.owned && {
      listOwned: ({ aws }) =>
        doing(`list what the cluster has of kind ${kind}`, async () => resource.owned?.(aws) ?? []),
    }),
    ...(resource.remove && {
      remove: (owned, { aws }) =>
        doing(`delete ${owned.description}`, async () => {
          const { handle } = owned;
          if (typeof handle !== 'string') throw new Error(`${owned.description} has no handle`);
          await resource.remove?.({ ...owned, handle }, aws);
        }),
    }),
  };
}

function refuseFixed<Kind extends AwsKind, Found>(
  { noun, fixed = [] }: AwsResource<Kind, Found>,
  name: string,
  changes: readonly FieldChange[],
): void {
  const change = changes.find(({ path }) => fixed.some((one) => path === one || path.startsWith(`${one}.`)));
  if (change === undefined) return;
  const text = (value: unknown) => JSON.stringify(value) ?? 'nothing';
  throw new PermanentError({
    what: `change ${change.path} of ${noun} ${name} from ${text(change.from)} to ${text(change.to)}`,
    why: 'AWS cannot change it once it is made',
    next: 'put the old value back into the spec, or delete it by hand and apply again',
  });
}
