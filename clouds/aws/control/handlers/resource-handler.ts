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
import type { AwsKind, PropsOf } from '../kinds/aws-kinds.ts';
import type { AwsCloud, AwsEnv } from './aws-cloud.ts';
import { explained, isAmbiguous } from './aws-error.ts';

export interface ResourceStep extends Step {
  readonly action: 'create' | 'update';
}

/** A resource of the cluster; the handle identifies it in AWS. */
export interface OwnedResource extends Owned {
  readonly handle: string;
}

/** How one kind of AWS resource is found, compared, changed and deleted. */
export interface AwsResource<Kind extends AwsKind, Found> {
  readonly kind: Kind;
  /** The kind in a sentence, e.g. `VPC`. */
  readonly noun: string;
  /** Props that name its parents: while a parent does not exist, neither does the resource. */
  readonly within?: readonly (string & keyof PropsOf<Kind>)[];
  readonly find: (task: AwsTask<PropsOf<Kind>>, aws: AwsCloud) => Promise<Found | undefined>;
  /** The managed fields as wanted and as found; `undefined` for a field that AWS may choose. */
  readonly wanted: (props: PropsOf<Kind>, found: Found) => JsonObject;
  readonly present: (found: Found, props: PropsOf<Kind>) => JsonObject;
  /** Fields that cannot change after creation, by path. */
  readonly fixed?: readonly string[];
  /** True where the create call cannot set every field: the rest is set by an update right after it. */
  readonly isMadeBare?: boolean;
  /** Creates it. Returns the id if the resource can be found by id earlier than otherwise. */
  readonly create: (task: AwsTask<PropsOf<Kind>>, aws: AwsCloud) => Promise<string | void>;
  readonly update?: (
    task: AwsTask<PropsOf<Kind>>,
    found: Found,
    changes: readonly FieldChange[],
    aws: AwsCloud,
  ) => Promise<void>;
  readonly outputs?: (found: Found, props: PropsOf<Kind>) => Outputs;
  readonly plannedOutputs?: (props: PropsOf<Kind>) => Outputs;
  /** Every resource of this kind with the cluster's tag. */
  readonly owned?: (aws: AwsCloud) => Promise<readonly OwnedResource[]>;
  readonly remove?: (owned: OwnedResource, aws: AwsCloud) => Promise<void>;
}

export interface AwsTask<Props> {
  /** Kind and name. */
  readonly id: string;
  readonly name: string;
  readonly props: Props;
}

/** A handler for a kind of AWS resource. */
export function resourceHandler<Kind extends AwsKind, Found>(
  resource: AwsResource<Kind, Found>,
): Handler<AwsEnv, PropsOf<Kind>, Found, ResourceStep> {
  const { kind, noun } = resource;
  const task = (name: string, props: PropsOf<Kind>) => ({ id: `${kind}/${name}`, name, props });
  return {
    kind,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made by awsTask, which holds it to the same contract
    parse: (props) => props as PropsOf<Kind>,

    find: (name, props, { aws }) =>
      doing(aws, `look for ${noun} ${name}`, async () => {
        if (resource.within?.some((part) => props[part] === KNOWN_AFTER_APPLY) === true) return undefined;
        const found = await resource.find(task(name, props), aws);
        if (found === undefined && aws.made.isDoubtful(`${kind}/${name}`)) {
          throw new NotYet(
            `${noun} ${name} may have been created by a request that got no response`,
            'it is created again if it does not appear within seconds',
          );
        }
        return found;
      }),

    plan(name, props, found) {
      if (found === undefined) return [{ action: 'create', summary: `create ${noun} ${name}` }];
      const changes = changesOf(resource, props, found);
      if (changes.length === 0) return [];
      refuseFixed(resource, name, changes);
      return [{ action: 'update', summary: `change ${noun} ${name}`, changes }];
    },

    async apply(step, name, props, { aws }) {
      const one = task(name, props);
      if (step.action === 'create') await doing(aws, `create ${noun} ${name}`, () => create(resource, one, aws));
      else await doing(aws, `change ${noun} ${name}`, () => update(resource, one, aws));
    },

    ...(resource.outputs && { outputs: (_name, props, found) => resource.outputs?.(found, props) ?? {} }),
    ...(resource.plannedOutputs && { plannedOutputs: (_name, props) => resource.plannedOutputs?.(props) ?? {} }),
    ...(resource.owned && {
      listOwned: ({ aws }) => doing(aws, `list the ${kind} of the cluster`, async () => resource.owned?.(aws) ?? []),
    }),
    ...(resource.remove && {
      remove: (owned, { aws }) =>
        doing(aws, `delete ${owned.description}`, async () => {
          const { handle } = owned;
          if (typeof handle !== 'string') throw new Error(`${owned.description} has no handle`);
          await resource.remove?.({ ...owned, handle }, aws);
        }),
    }),
  };
}

/** Does the work that `what` describes, and names it in the error of a failure. */
async function doing<Result>(aws: AwsCloud, what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    // A retry has to see what has changed.
    aws.reads?.forget();
    throw explained(thrown, what);
  }
}

async function create<Kind extends AwsKind, Found>(
  resource: AwsResource<Kind, Found>,
  one: AwsTask<PropsOf<Kind>>,
  aws: AwsCloud,
): Promise<void> {
  try {
    const id = await resource.create(one, aws);
    if (typeof id === 'string') aws.made.remember(one.id, id);
  } catch (thrown) {
    if (isAmbiguous(thrown)) aws.made.doubt(one.id);
    throw thrown;
  }
  if (resource.isMadeBare === true) await update(resource, one, aws);
}

async function update<Kind extends AwsKind, Found>(
  resource: AwsResource<Kind, Found>,
  one: AwsTask<PropsOf<Kind>>,
  aws: AwsCloud,
): Promise<void> {
  const found = await resource.find(one, aws);
  if (found === undefined) throw new Error(`${resource.noun} ${one.name} disappeared before it could be changed`);
  const changes = changesOf(resource, one.props, found);
  if (changes.length > 0) await resource.update?.(one, found, changes, aws);
}

const changesOf = <Kind extends AwsKind, Found>(
  resource: AwsResource<Kind, Found>,
  props: PropsOf<Kind>,
  found: Found,
): readonly FieldChange[] => differences(resource.wanted(props, found), resource.present(found, props));

function refuseFixed<Kind extends AwsKind, Found>(
  { noun, fixed = [] }: AwsResource<Kind, Found>,
  name: string,
  changes: readonly FieldChange[],
): void {
  const change = changes.find(({ path }) => fixed.some((one) => path === one || path.startsWith(`${one}.`)));
  if (change === undefined) return;
  const text = (value: unknown) => JSON.stringify(value) ?? 'nothing';
  throw new PermanentError({
    what: `change ${noun} ${name}`,
    why: `AWS cannot change ${change.path} from ${text(change.from)} to ${text(change.to)} after creation`,
    next: 'put the old value back into the spec, or delete it by hand and apply again',
  });
}
