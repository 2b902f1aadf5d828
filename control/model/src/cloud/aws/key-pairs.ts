import type { Text } from '@kopsctl/clouds/aws/kinds/output.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import type { SshPublicKey } from '../../model-input.ts';
import type { AwsContext } from './aws-context.ts';
import { awsTask, outputOf } from './aws-task.ts';
import { resourceTags } from './tags.ts';

/** The key that logs in: one that AWS holds already, none where the spec says so, or the one in the state store. */
export function keyPair(
  { facts }: AwsContext,
  keys: readonly SshPublicKey[],
): { readonly tasks: readonly Task[]; readonly name?: Text } {
  const { sshKeyName } = facts.spec;
  if (sshKeyName === '') return { tasks: [] };
  if (sshKeyName !== undefined) return { tasks: [], name: sshKeyName };
  const [key] = keys;
  if (key === undefined) return { tasks: [] };
  // The name with colons is AWS's own way to write a fingerprint; a task's name is without, as kops has it.
  const prefix = `kubernetes.${facts.clusterName}`;
  const task = `${prefix}-${key.fingerprint}`;
  return {
    tasks: [
      awsTask('aws/KeyPair', task, {
        name: `${prefix}-${key.fingerprint.replaceAll(/..(?=.)/g, '$&:')}`,
        publicKey: key.text,
        tags: resourceTags(facts, facts.clusterName),
      }),
    ],
    name: outputOf('aws/KeyPair', task, 'name'),
  };
}
