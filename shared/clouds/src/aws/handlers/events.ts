import {
  DeleteRuleCommand,
  DescribeRuleCommand,
  type DescribeRuleResponse,
  ListRulesCommand,
  ListTagsForResourceCommand,
  ListTargetsByRuleCommand,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
  TagResourceCommand,
  type Target,
} from '@aws-sdk/client-eventbridge';
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
import type { Tags } from '../kinds/output.ts';
import type { AwsCloud } from './aws-cloud.ts';
import { isNotFound } from './aws-error.ts';
import { isOwned } from './ec2-resource.ts';
import { kept, tagList, tagsOf } from '../tag-list.ts';
import type { PropsOf } from '../kinds/resolved.ts';
import { resourceHandler } from './resource-handler.ts';

interface FoundQueue {
  readonly url: string;
  readonly arn: string;
  readonly retentionSeconds: number;
  readonly policy: JsonObject;
  readonly tags: Tags;
}

async function unlessGone<Result>(question: Promise<Result>): Promise<Result | undefined> {
  try {
    return await question;
  } catch (thrown) {
    if (isNotFound(thrown)) return undefined;
    throw thrown;
  }
}

const json = (text: string | undefined): JsonObject => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- policies and patterns are JSON objects
  return JSON.parse(text ?? '{}') as JsonObject;
};

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
      policy: json(Policy),
      tags: tags?.Tags ?? {},
    };
  },
  wanted: ({ retentionSeconds, policy, tags }) => ({ retentionSeconds, policy, tags }),
  present: ({ retentionSeconds, policy, tags }, props) => ({ retentionSeconds, policy, tags: kept(props.tags, tags) }),
  async create({ props }, aws) {
    await aws.sqs.send(
      new CreateQueueCommand({ QueueName: props.name, Attributes: queueAttributes(props), tags: { ...props.tags } }),
    );
  },
  async update({ props }, { url }, changes, aws) {
    if (changes.some(({ path }) => path.startsWith('tags'))) {
      await aws.sqs.send(new TagQueueCommand({ QueueUrl: url, Tags: { ...props.tags } }));
    }
    if (changes.every(({ path }) => path.startsWith('tags'))) return;
    await aws.sqs.send(new SetQueueAttributesCommand({ QueueUrl: url, Attributes: queueAttributes(props) }));
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

const queueAttributes = ({ retentionSeconds, policy }: PropsOf<'aws/Queue'>) => ({
  MessageRetentionPeriod: String(retentionSeconds),
  Policy: JSON.stringify(policy),
});

interface FoundRule {
  readonly rule: DescribeRuleResponse;
  readonly tags: Tags;
}

async function ruleTags(aws: AwsCloud, arn: string | undefined): Promise<Tags> {
  const found = await unlessGone(aws.events.send(new ListTagsForResourceCommand({ ResourceARN: arn })));
  return tagsOf(found?.Tags);
}

export const eventRuleHandler = resourceHandler<'aws/EventRule', FoundRule>({
  kind: 'aws/EventRule',
  noun: 'event rule',
  async find({ props }, aws) {
    const rule = await unlessGone(aws.events.send(new DescribeRuleCommand({ Name: props.name })));
    return rule && { rule, tags: await ruleTags(aws, rule.Arn) };
  },
  wanted: ({ pattern, tags }) => ({ pattern, enabled: true, tags }),
  present: ({ rule, tags }, props) => ({
    pattern: json(rule.EventPattern),
    enabled: rule.State === 'ENABLED',
    tags: kept(props.tags, tags),
  }),
  async create({ props }, aws) {
    await aws.events.send(
      new PutRuleCommand({
        Name: props.name,
        EventPattern: JSON.stringify(props.pattern),
        State: 'ENABLED',
        Tags: tagList(props.tags),
      }),
    );
  },
  async update({ props }, { rule }, changes, aws) {
    if (changes.some(({ path }) => path.startsWith('tags'))) {
      await aws.events.send(new TagResourceCommand({ ResourceARN: rule.Arn, Tags: tagList(props.tags) }));
    }
    if (changes.every(({ path }) => path.startsWith('tags'))) return;
    const EventPattern = JSON.stringify(props.pattern);
    await aws.events.send(new PutRuleCommand({ Name: props.name, EventPattern, State: 'ENABLED' }));
  },
  outputs: (_found, { name }) => ({ name }),
  plannedOutputs: ({ name }) => ({ name }),
  async owned(aws) {
    const rules: { Name?: string | undefined; Arn?: string | undefined }[] = [];
    let NextToken: string | undefined;
    do {
      const page = await aws.events.send(new ListRulesCommand(NextToken === undefined ? {} : { NextToken }));
      rules.push(...(page.Rules ?? []));
      NextToken = page.NextToken;
    } while (NextToken !== undefined);
    const ours = await Promise.all(
      rules.map(async ({ Name = '', Arn }) => (isOwned(aws, await ruleTags(aws, Arn)) ? [Name] : [])),
    );
    return ours.flat().map((name) => ({ name, description: `event rule ${name}`, handle: name }));
  },
  /** A rule with targets cannot be deleted. */
  async remove({ name: Rule }, aws) {
    const targets = await unlessGone(aws.events.send(new ListTargetsByRuleCommand({ Rule })));
    const Ids = (targets?.Targets ?? []).flatMap(({ Id }) => Id ?? []);
    if (Ids.length > 0) await aws.events.send(new RemoveTargetsCommand({ Rule, Ids }));
    await unlessGone(aws.events.send(new DeleteRuleCommand({ Name: Rule })));
  },
});

/** kops's id of a rule's only target. */
const TARGET_ID = '1';

export const eventTargetHandler = resourceHandler<'aws/EventTarget', Target>({
  kind: 'aws/EventTarget',
  noun: 'target of the event rule',
  async find({ props }, aws) {
    const found = await unlessGone(aws.events.send(new ListTargetsByRuleCommand({ Rule: props.rule })));
    return found?.Targets?.find(({ Id }) => Id === TARGET_ID);
  },
  wanted: ({ target }) => ({ target }),
  present: ({ Arn = '' }) => ({ target: Arn }),
  create: ({ props }, aws) => putTarget(props, aws),
  update: ({ props }, _found, _changes, aws) => putTarget(props, aws),
});

async function putTarget({ rule, target }: PropsOf<'aws/EventTarget'>, aws: AwsCloud): Promise<void> {
  const reply = await aws.events.send(new PutTargetsCommand({ Rule: rule, Targets: [{ Id: TARGET_ID, Arn: target }] }));
  const [failure] = reply.FailedEntries ?? [];
  if (failure !== undefined) throw new Error(`${failure.ErrorCode ?? ''}: ${failure.ErrorMessage ?? ''}`);
}
