import { AUTHORITY_GROUPS_FILE, type AuthorityGroups } from '@kopsctl/node-plan/authority-groups.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import type { ClusterFacts } from './cluster-facts.ts';
import { managedFile } from './store/keysets.ts';
import { machineAuthorities, machineSecrets } from './node/agents.ts';
import { roleOf } from '@kopsctl/spec/names.ts';

/** What authorities require of the machines of each group, and what these machines get. */
export function authorityGroups(facts: ClusterFacts, groups: readonly InstanceGroup[]): Task {
  const attested = groups.filter((group) => roleOf(group) === 'Node' || roleOf(group) === 'APIServer');
  const rights: AuthorityGroups = Object.fromEntries(
    attested.map((group) => {
      const principal = facts.cloud.principalOf?.(facts, group);
      const secrets = [...new Set(machineSecrets(facts).map(({ name }) => name))];
      const authorities = machineAuthorities(facts).map(({ name }) => name);
      return [group.metadata.name, { ...(principal !== undefined && { principal }), secrets, authorities }];
    }),
  );
  return managedFile('node-authority', AUTHORITY_GROUPS_FILE, `${JSON.stringify(rights, null, 2)}\n`);
}
