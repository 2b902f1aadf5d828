import {
  DeleteRuleCommand,
  DescribeRuleCommand,
  ListRulesCommand,
  ListTagsForResourceCommand,
  ListTargetsByRuleCommand,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
  type Rule,
  TagResourceCommand,
  type Target,
} from '@aws-sdk/client-eventbridge';
import type { Tags } from '../../node/tag-list.ts';
import type { AwsCloud } from './aws-cloud.ts';
import { amongAllOr, isOwned } from './ec2-resource.ts';
import { kept, tagList, tagsOf } from '../../node/tag-list.ts';
import type { PropsOf } from '../kinds/aws-kinds.ts';
import { resourceHandler } from './resource-handler.ts';
import { jsonObject } from './json-object.ts';
import { unlessGone } from './unless-gone.ts';

interface FoundRule {
  readonly rule: Rule;
  readonly tags: Tags;
}

async function ruleTags(aws: AwsCloud, arn: string | undefined): Promise<Tags> {
  const found = await unlessGone(aws.events.send(new ListTagsForResourceCommand({ ResourceARN: arn })));
  return tagsOf(found?.Tags);
}

/** All of the account, and of the region: they cannot be listed by their tags. */
async function allRules(aws: AwsCloud): Promise<readonly Rule[]> {
  const rules: Rule[] = [];
  let NextToken: string | undefined;
  do {
    const page = await aws.events.send(new ListRulesCommand(NextToken === undefined ? {} : { NextToken }));
    rules.push(...(page.Rules ?? []));
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  return rules;
}

export const eventRuleHandler = resourceHandler<'aws/EventRule', FoundRule>({
  kind: 'aws/EventRule',
  noun: 'event rule',
  async find({ props }, aws) {
    const rule = await amongAllOr<Rule>(
      aws,
      () => allRules(aws),
      ({ Name }) => Name === props.name,
      async () => {
        const found = await unlessGone(aws.events.send(new DescribeRuleCommand({ Name: props.name })));
        return found === undefined ? [] : [found];
      },
    );
    return rule && { rule, tags: await ruleTags(aws, rule.Arn) };
  },
  wanted: ({ pattern, tags }) => ({ pattern, enabled: true, tags }),
  present: ({ rule, tags }, props) => ({
    pattern: jsonObject(rule.EventPattern),
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
    const ours = await Promise.all(
      (await allRules(aws)).map(async ({ Name = '', Arn }) => (isOwned(aws, await ruleTags(aws, Arn)) ? [Name] : [])),
    );
    return ours.flat().map((name) => ({ name, description: `event rule ${name}`, handle: name }));
  },
  /** A rule with targets cannot be deleted, so the targets are removed first. */
  async remove({ name: Rule }, aws) {
    const targets = await unlessGone(aws.events.send(new ListTargetsByRuleCommand({ Rule })));
    const Ids = (targets?.Targets ?? []).flatMap(({ Id }) => Id ?? []);
    if (Ids.length > 0) await aws.events.send(new RemoveTargetsCommand({ Rule, Ids }));
    await unlessGone(aws.events.send(new DeleteRuleCommand({ Name: Rule })));
  },
});

/** The id that kops gives to the only target of a rule. */
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
