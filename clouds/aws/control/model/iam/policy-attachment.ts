import type { Task } from '@kopsctl/tasks/task.ts';
import { awsTask, outputOf } from '../aws-task.ts';
import { fnv1a } from '@kopsctl/model/truncated-name.ts';

/** Attaches an existing managed policy to a role of the cluster. */
export function policyAttachment(name: string, role: string, policyArn: string): Task {
  return awsTask('aws/IamRolePolicyAttachment', `${name}-${fnv1a(policyArn)}`, {
    role: outputOf('aws/IamRole', role, 'name'),
    policyArn,
  });
}
