import type { JsonObject } from '@kopsctl/tasks/task.ts';
import type { PolicyDocument } from './iam.ts';
import type { Text } from '@kopsctl/model/output.ts';
import type { Tags } from '../../node/tag-list.ts';

/** An SQS queue. Yields `arn` and `url`. */
export interface QueueProps {
  readonly name: string;
  readonly retentionSeconds: number;
  readonly policy: PolicyDocument;
  readonly tags: Tags;
}

/** An EventBridge rule. Yields `name`. */
export interface EventRuleProps {
  readonly name: string;
  readonly pattern: JsonObject;
  readonly tags: Tags;
}

/** Sends a rule's events to a queue. */
export interface EventTargetProps {
  readonly rule: Text;
  readonly target: Text;
}
