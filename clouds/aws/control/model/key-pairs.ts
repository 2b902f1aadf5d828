import type { Text } from '@kopsctl/model/output.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import type { SshPublicKey } from '@kopsctl/model/model-input.ts';
import type { AwsContext } from './aws-context.ts';
import { awsTask, outputOf } from './aws-task.ts';
import { resourceTags } from './tags.ts';

/** The SSH key: an existing key pair of AWS, none if the spec says so, or the key in the state store. */
export function keyPair(
  { facts }: AwsContext,
  keys: readonly SshPublicKey[],
): { readonly tasks: readonly Task[]; readonly name?: Text } {
  const { sshKeyName } = facts.spec;
  if (sshKeyName === '') return { tasks: [] };
  if (sshKeyName !== undefined) return { tasks: [], name: sshKeyName };
  const [key] = keys;
  if (key === undefined) return { tasks: [] };
  // AWS writes a fingerprint with colons; kops writes the name of the task without.
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
