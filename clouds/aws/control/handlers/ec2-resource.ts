import { CreateTagsCommand, type Filter, type ResourceType, type TagSpecification } from '@aws-sdk/client-ec2';
import { NotYet, PermanentError } from '@kopsctl/tasks/failure.ts';
import type { FieldChange, Handler, JsonObject, Outputs } from '@kopsctl/tasks/task.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';
import type { AwsKind, PropsOf } from '../kinds/aws-kinds.ts';
import type { Tags } from '../../node/tag-list.ts';
import { CLUSTER_TAG, ownershipTag } from '../../node/ownership.ts';
import type { AwsCloud, AwsEnv } from './aws-cloud.ts';
import { isNotFound } from './aws-error.ts';
import { kept, tagList } from '../../node/tag-list.ts';
import { type AwsTask, type OwnedResource, resourceHandler, type ResourceStep } from './resource-handler.ts';

/** Selects resources by id or by filters. */
export type Ec2Query = { readonly ids: string[] } | { readonly filters: Filter[] };

/** The query as input of a Describe call; `ids` is the name of its list of ids. */
export const asked = <Ids extends string>(query: Ec2Query, ids: Ids) =>
  'ids' in query ? ({ [ids]: query.ids } as { [Key in Ids]: string[] }) : { Filters: query.filters };

export interface Ec2Found {
  readonly id: string;
  readonly tags: Tags;
}

/** Where a resource of others is found. It is never created: the failure says what to do where it is not there. */
export interface Elsewhere {
  readonly filters: Filter[];
  readonly absent: PermanentError;
}

/** An EC2 kind with tags. A resource is found by its tags until its id is known. */
export interface Ec2Resource<Kind extends AwsKind, Found extends Ec2Found> {
  readonly kind: Kind;
  readonly noun: string;
  readonly type: ResourceType;
  readonly load: (aws: AwsCloud, query: Ec2Query) => Promise<readonly Found[]>;
  /** Fields in addition to the tags. */
  readonly wanted?: (props: PropsOf<Kind>) => JsonObject;
  readonly present?: (found: Found, props: PropsOf<Kind>) => JsonObject;
  readonly fixed?: readonly string[];
  readonly isMadeBare?: boolean;
  /** For a resource of others that is not found by its tags, such as the gateway of a shared VPC. */
  readonly elsewhere?: (props: PropsOf<Kind>) => Elsewhere | undefined;
  readonly create: (props: PropsOf<Kind>, aws: AwsCloud, tags: TagSpecification[]) => Promise<string | undefined>;
  readonly update?: (
    props: PropsOf<Kind>,
    found: Found,
    changes: readonly FieldChange[],
    aws: AwsCloud,
  ) => Promise<void>;
  readonly outputs?: (found: Found) => Outputs;
  /** Whether the resource is deleted or being deleted. */
  readonly isGone?: (found: Found) => boolean;
  /** What became of one that is gone although this run made it, e.g. `failed: NoRoom`. */
  readonly fateOf?: (found: Found) => string;
  /** Whether it is kept unless the whole cluster is deleted. */
  readonly keep?: (found: Found, aws: AwsCloud) => boolean;
  readonly remove?: (id: string, aws: AwsCloud) => Promise<void>;
}

/**
 * Whether the cluster may change and delete a resource. Checked in every response: a server that ignores a filter must
 * never make resources of another cluster ours.
 */
export const isOwned = ({ clusterName }: AwsCloud, tags: Tags): boolean => tags[ownershipTag(clusterName)] === 'owned';

const hasTags = (tags: Tags, wanted: Tags): boolean =>
  Object.entries(wanted).every(([key, value]) => tags[key] === value);

const tagFilters = (tags: Tags): Filter[] =>
  Object.entries(tags).map(([key, value]) => ({ Name: `tag:${key}`, Values: [value] }));

/** Filters for everything that belongs to the cluster. */
export const ownedFilters = ({ clusterName }: AwsCloud): Filter[] => [
  { Name: `tag:${ownershipTag(clusterName)}`, Values: ['owned'] },
];

/** Filters for everything that names the cluster in a tag. */
export const clusterFilters = ({ clusterName }: AwsCloud): Filter[] => tagFilters({ [CLUSTER_TAG]: clusterName });

/** Whether one request for the whole cluster is to answer the lookups of all resources of a kind. */
export const asksForAll = ({ reads }: AwsCloud): boolean => reads?.areShared === true;

/** One resource: among all of the cluster's where one request serves every lookup of a plan, or else by a request of its own. */
export async function amongAllOr<Found>(
  aws: AwsCloud,
  all: () => Promise<readonly Found[]>,
  isWanted: (found: Found) => boolean,
  ask: () => Promise<readonly Found[]>,
): Promise<Found | undefined> {
  const known = asksForAll(aws) ? (await all()).find(isWanted) : undefined;
  return known ?? (await ask()).find(isWanted);
}

/** Filters for what may belong to the cluster. What the cluster itself has made, such as volumes, does not always name it in a tag. */
export const listingFilters = (aws: AwsCloud): Filter[] =>
  asksForAll(aws) && !aws.everything ? clusterFilters(aws) : ownedFilters(aws);

const wantedTags = (props: object): Tags => {
  const tags: unknown = Reflect.get(props, 'tags');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the contract of every kind that has tags
  return isRecord(tags) ? (tags as Tags) : {};
};

const sharedIdOf = (props: object): string | undefined => {
  const id: unknown = Reflect.get(props, 'sharedId');
  return typeof id === 'string' ? id : undefined;
};

/** A handler for a kind of EC2 resource. */
export function ec2Handler<Kind extends AwsKind, Found extends Ec2Found>(
  resource: Ec2Resource<Kind, Found>,
): Handler<AwsEnv, PropsOf<Kind>, Found, ResourceStep> {
  const { kind, noun, type } = resource;

  return resourceHandler<Kind, Found>({
    kind,
    noun,
    ...(resource.fixed && { fixed: resource.fixed }),
    ...(resource.isMadeBare && { isMadeBare: resource.isMadeBare }),

    find: (task, aws) => find(resource, task, aws),

    // A resource that others created is left alone; only a shared subnet gets the tags that load balancers look for.
    wanted: (props) => {
      if (resource.elsewhere?.(props) !== undefined) return {};
      return { ...(sharedIdOf(props) === undefined ? resource.wanted?.(props) : {}), tags: wantedTags(props) };
    },
    present: (found, props) => {
      if (resource.elsewhere?.(props) !== undefined) return {};
      const own = sharedIdOf(props) === undefined ? resource.present?.(found, props) : {};
      return { ...own, tags: kept(wantedTags(props), found.tags) };
    },

    async create({ props }, aws) {
      const id = await resource.create(props, aws, [{ ResourceType: type, Tags: tagList(wantedTags(props)) }]);
      if (id === undefined) throw new Error(`AWS did not return the id of the ${noun} it created`);
      return id;
    },

    async update({ props }: AwsTask<PropsOf<Kind>>, found, changes, aws) {
      const others = changes.filter(({ path }) => path !== 'tags' && !path.startsWith('tags.'));
      if (others.length < changes.length) {
        await aws.ec2.send(new CreateTagsCommand({ Resources: [found.id], Tags: tagList(wantedTags(props)) }));
      }
      if (others.length > 0) await resource.update?.(props, found, others, aws);
    },

    ...(resource.outputs ? { outputs: resource.outputs } : { outputs: (found: Found) => ({ id: found.id }) }),

    ...(resource.remove && {
      owned: (aws: AwsCloud) => listOwned(resource, aws),
      remove: async ({ handle }: OwnedResource, aws: AwsCloud) => {
        try {
          await resource.remove?.(handle, aws);
        } catch (thrown) {
          if (!isNotFound(thrown)) throw thrown;
        }
      },
    }),
  });
}

/** The resources that match a query and are not deleted or being deleted. */
async function live<Found extends Ec2Found>(
  resource: Pick<Ec2Resource<AwsKind, Found>, 'load' | 'isGone'>,
  aws: AwsCloud,
  query: Ec2Query,
): Promise<readonly Found[]> {
  return (await atHand(resource, aws, query)).filter((found) => resource.isGone?.(found) !== true);
}

/** The resources that match a query. */
async function atHand<Found extends Ec2Found>(
  { load }: Pick<Ec2Resource<AwsKind, Found>, 'load'>,
  aws: AwsCloud,
  query: Ec2Query,
): Promise<readonly Found[]> {
  try {
    return await load(aws, query);
  } catch (thrown) {
    if ('ids' in query && isNotFound(thrown)) return [];
    throw thrown;
  }
}

/** Finds a resource by the id that the spec gives, by the id that creating it returned, by filters of its kind, or by its tags. */
async function find<Kind extends AwsKind, Found extends Ec2Found>(
  resource: Ec2Resource<Kind, Found>,
  { id: task, name, props }: AwsTask<PropsOf<Kind>>,
  aws: AwsCloud,
): Promise<Found | undefined> {
  const { noun } = resource;
  const shared = sharedIdOf(props);
  if (shared !== undefined) return theShared(noun, shared, await live(resource, aws, { ids: [shared] }));
  const made = aws.made.idOf(task);
  if (made !== undefined) {
    const [found] = await atHand(resource, aws, { ids: [made] });
    if (found === undefined) throw new NotYet(`${made} was created and is not visible yet`, `look for it: ${made}`);
    if (resource.isGone?.(found) !== true) return found;
    aws.made.forget(task);
    throw new NotYet(`${made} was created and ${resource.fateOf?.(found) ?? 'is gone'}`, 'it is created again');
  }
  const elsewhere = resource.elsewhere?.(props);
  if (elsewhere !== undefined) {
    const { filters, absent } = elsewhere;
    const theirs = theOnly(noun, name, await live(resource, aws, { filters }));
    if (theirs === undefined) throw absent;
    return theirs;
  }
  const identity = { Name: wantedTags(props)['Name'] ?? name, [CLUSTER_TAG]: aws.clusterName };
  const filters = asksForAll(aws) ? clusterFilters(aws) : tagFilters(identity);
  const found = await live(resource, aws, { filters });
  const exact = found.filter(({ tags }) => hasTags(tags, identity));
  return theOnly(noun, name, exact);
}

async function listOwned<Kind extends AwsKind, Found extends Ec2Found>(
  resource: Ec2Resource<Kind, Found>,
  aws: AwsCloud,
): Promise<readonly OwnedResource[]> {
  return (await live(resource, aws, { filters: listingFilters(aws) }))
    .filter(({ tags }) => isOwned(aws, tags))
    .filter((found) => aws.everything || resource.keep?.(found, aws) !== true)
    .map((found) => ({
      name: found.tags['Name'] ?? found.id,
      description: `${resource.noun} ${found.tags['Name'] ?? ''} (${found.id})`,
      handle: found.id,
    }));
}

function theShared<Found>(noun: string, id: string, found: readonly Found[]): Found {
  const [one] = found;
  if (one !== undefined) return one;
  throw new PermanentError({
    what: `use the ${noun} ${id}`,
    why: 'this account has no resource with that id in this region',
    next: 'check the id in the spec, the region and the credentials',
  });
}

function theOnly<Found extends Ec2Found>(noun: string, name: string, found: readonly Found[]): Found | undefined {
  if (found.length < 2) return found[0];
  throw new PermanentError({
    what: `find the ${noun} ${name}`,
    why: `${found.length} resources have its tags: ${found.map(({ id }) => id).join(', ')}`,
    next: 'delete those that are not in use',
  });
}
