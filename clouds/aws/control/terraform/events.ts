import type { TerraformKind } from '@kopsctl/model/terraform/kind.ts';
import type * as events from '../kinds/events.ts';
import { attribute, noOutput, resource } from '@kopsctl/model/terraform/resource.ts';

export const queue: TerraformKind<events.QueueProps> = {
  resources: (name, props, { json }) => [
    resource('aws_sqs_queue', name, {
      message_retention_seconds: props.retentionSeconds,
      name: props.name,
      policy: json('aws_sqs_queue', name, 'policy', props.policy),
      tags: props.tags,
    }),
  ],
  output: (output, name) => attribute('aws_sqs_queue', name, output),
};

export const eventRule: TerraformKind<events.EventRuleProps> = {
  resources: (name, props, { json }) => [
    resource('aws_cloudwatch_event_rule', name, {
      event_pattern: json('aws_cloudwatch_event_rule', name, 'event_pattern', props.pattern),
      name: props.name,
      tags: props.tags,
    }),
  ],
  // The id of a rule is its name.
  output: (_output, name) => attribute('aws_cloudwatch_event_rule', name, 'id'),
};

export const eventTarget: TerraformKind<events.EventTargetProps> = {
  resources: (name, props, { link }) => [
    resource('aws_cloudwatch_event_target', name, { arn: link(props.target), rule: link(props.rule) }),
  ],
  output: noOutput,
};
