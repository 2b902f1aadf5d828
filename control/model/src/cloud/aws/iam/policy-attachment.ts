import type { Task } from '@kopsctl/tasks/task.ts';
import { awsTask, outputOf } from '../aws-task.ts';
import { fnv1a } from '../truncated-name.ts';

/** A managed policy of somebody else for a role of ours. */
export function policyAttachment(name: string, role: string, policyArn: string): Task {
  return awsTask('aws/IamRolePolicyAttachment', `${name}-${fnv1a(policyArn)}`, {
    role: outputOf('aws/IamRole', role, 'name'),
    policyArn,
  });
}
