import {
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListQueueTagsCommand,
  paginateListQueues,
  SetQueueAttributesCommand,
  TagQueueCommand,
} from '@aws-sdk/client-sqs';
import type { JsonObject } from '@kopsctl/tasks/task.ts';
import type { Tags } from '../../node/tag-list.ts';
import { isOwned } from './ec2-resource.ts';
import { kept } from '../../node/tag-list.ts';
import { grantsOf } from './policy-grants.ts';
import { resourceHandler } from './resource-handler.ts';
import { jsonObject } from './json-object.ts';
import { unlessGone } from './unless-gone.ts';

interface FoundQueue {
  readonly url: string;
  readonly arn: string;
  readonly retentionSeconds: number;
  readonly policy: JsonObject;
  readonly tags: Tags;
}

export const queueHandler = resourceHandler<'aws/Queue', FoundQueue>({
  kind: 'aws/Queue',
  noun: 'queue',
  async find({ props }, aws) {
    const url = (await unlessGone(aws.sqs.send(new GetQueueUrlCommand({ QueueName: props.name }))))?.QueueUrl;
    if (url === undefined) return undefined;
    const [attributes, tags] = await Promise.all([
      unlessGone(aws.sqs.send(new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['All'] }))),
      unlessGone(aws.sqs.send(new ListQueueTagsCommand({ QueueUrl: url }))),
    ]);
    if (attributes === undefined) return undefined;
    const { QueueArn = '', MessageRetentionPeriod, Policy } = attributes.Attributes ?? {};
    return {
      url,
      arn: QueueArn,
      retentionSeconds: Number(MessageRetentionPeriod ?? 0),
      policy: jsonObject(Policy),
      tags: tags?.Tags ?? {},
    };
  },
  wanted: ({ retentionSeconds, policy, tags }, { arn }) => ({
    retentionSeconds,
    policy: grantsOf(ofAccount(policy, arn)),
    tags,
  }),
  present: ({ retentionSeconds, policy, tags }, props) => ({
    retentionSeconds,
    policy: grantsOf(policy),
    tags: kept(props.tags, tags),
  }),
  // The queue's policy names the account, which is known from the queue's ARN.
  isMadeBare: true,
  async create({ props: { name, retentionSeconds, tags } }, aws) {
    const Attributes = { MessageRetentionPeriod: String(retentionSeconds) };
    await aws.sqs.send(new CreateQueueCommand({ QueueName: name, Attributes, tags: { ...tags } }));
  },
  async update({ props }, { url, arn }, changes, aws) {
    if (changes.some(({ path }) => path.startsWith('tags'))) {
      await aws.sqs.send(new TagQueueCommand({ QueueUrl: url, Tags: { ...props.tags } }));
    }
    if (changes.every(({ path }) => path.startsWith('tags'))) return;
    const Attributes = {
      MessageRetentionPeriod: String(props.retentionSeconds),
      Policy: JSON.stringify(ofAccount(props.policy, arn)),
    };
    await aws.sqs.send(new SetQueueAttributesCommand({ QueueUrl: url, Attributes }));
  },
  outputs: ({ arn, url }) => ({ arn, url }),
  async owned(aws) {
    const urls: string[] = [];
    for await (const page of paginateListQueues({ client: aws.sqs, pageSize: 1000 }, {})) {
      urls.push(...(page.QueueUrls ?? []));
    }
    const ours = await Promise.all(
      urls
        .filter((url) => url.endsWith('-nth'))
        .map(async (url) => {
          const tags = (await unlessGone(aws.sqs.send(new ListQueueTagsCommand({ QueueUrl: url }))))?.Tags ?? {};
          return isOwned(aws, tags) ? [url] : [];
        }),
    );
    return ours.flat().map((url) => {
      const name = url.split('/').at(-1) ?? url;
      return { name, description: `queue ${name}`, handle: url };
    });
  },
  remove: async ({ handle }, aws) => {
    await unlessGone(aws.sqs.send(new DeleteQueueCommand({ QueueUrl: handle })));
  },
});

/** The policy with the queue's own ARN in place of the one that leaves the account open, as kops writes it. */
function ofAccount(policy: JsonObject, arn: string): JsonObject {
  const open = arn.split(':').with(4, '*').join(':');
  // The text is still JSON after the replacement: an ARN has no character that JSON escapes.
  return JSON.parse(JSON.stringify(policy).replaceAll(JSON.stringify(open), JSON.stringify(arn)));
}
