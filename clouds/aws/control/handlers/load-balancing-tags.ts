import { AddTagsCommand, DescribeTagsCommand } from '@aws-sdk/client-elastic-load-balancing-v2';
import type { Tags } from '../../node/tag-list.ts';
import type { AwsCloud } from './aws-cloud.ts';
import { asksForAll, isOwned } from './ec2-resource.ts';
import { tagList, tagsOf } from '../../node/tag-list.ts';
import { unlessGone } from './unless-gone.ts';

export type Attributes = Readonly<Record<string, string>>;

export const attributesOf = (
  list: readonly { Key?: string | undefined; Value?: string | undefined }[] | undefined,
): Attributes => tagsOf(list);

/** The limit of DescribeTags per call. */
const TAGS_AT_ONCE = 20;

async function tagsByArn(aws: AwsCloud, arns: readonly string[]): Promise<ReadonlyMap<string, Tags>> {
  const found = new Map<string, Tags>();
  for (let from = 0; from < arns.length; from += TAGS_AT_ONCE) {
    const { TagDescriptions = [] } = await aws.loadBalancing.send(
      new DescribeTagsCommand({ ResourceArns: arns.slice(from, from + TAGS_AT_ONCE) }),
    );
    for (const { ResourceArn = '', Tags } of TagDescriptions) found.set(ResourceArn, tagsOf(Tags));
  }
  return found;
}

/** The tags of one of them: those of all are asked for where one request serves every lookup of a plan. */
export async function tagsOfOne(aws: AwsCloud, arn: string, all: () => Promise<readonly string[]>): Promise<Tags> {
  const known = asksForAll(aws) ? await tagsByArn(aws, await all()) : undefined;
  return known?.get(arn) ?? (await tagsByArn(aws, [arn])).get(arn) ?? {};
}

/** Selects those of the cluster by their tags. */
export async function ownedArns(
  aws: AwsCloud,
  arns: readonly string[],
): Promise<readonly { arn: string; tags: Tags }[]> {
  const tags = await tagsByArn(aws, arns);
  return arns.map((arn) => ({ arn, tags: tags.get(arn) ?? {} })).filter((one) => isOwned(aws, one.tags));
}

/** The items; none where what they belong to was deleted meanwhile. */
export async function orNothing<Item>(question: Promise<readonly Item[]>): Promise<readonly Item[]> {
  return (await unlessGone(question)) ?? [];
}

export async function tag(aws: AwsCloud, arn: string | undefined, tags: Tags): Promise<void> {
  await aws.loadBalancing.send(new AddTagsCommand({ ResourceArns: [arn ?? ''], Tags: tagList(tags) }));
}
