import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import { taskId, type Task } from '@kopsctl/tasks/task.ts';
import { assetCatalog } from '../../asset-catalog.ts';
import { clusterFacts } from '../../cluster-facts.ts';
import { nodeBoot, type NodeBoot } from '../../group-boot.ts';
import type { ModelInput } from '../../model-input.ts';
import { publishedAssets } from '../../published-assets.ts';
import { storeContents } from '../../store-contents.ts';
import { architectureOf } from '../../create-cluster/channel.ts';
import { userDataOf } from '../../user-data.ts';
import { awsResources } from './aws.ts';
import { machineTypes } from './launch-template.ts';

/** A cluster in AWS. */
export function awsCluster(input: ModelInput): readonly Task[] {
  const { instanceGroups: groups } = input;
  const facts = clusterFacts(input.cluster, machinesStore(input.cluster));
  const assets = publishedAssets(facts, input.agents, 'amd64');
  const mirror = facts.spec.assets?.fileRepository;
  const mirrors = mirror === undefined ? [] : [mirror];
  const { identity, files } = storeContents(
    facts,
    groups,
    assetCatalog({ assets }, 'amd64', mirrors),
    input.additionalObjects,
  );
  const boots = new Map<InstanceGroup, NodeBoot>(
    groups
      .filter((group) => roleOf(group) !== 'Bastion')
      .map((group) => {
        const arch = architectureOf('aws', machineTypes(group)[0]);
        return [group, nodeBoot(facts, group, publishedAssets(facts, input.agents, arch), mirrors, arch)];
      }),
  );
  const resources = awsResources(facts, groups, input.sshPublicKeys, (group) => {
    const boot = boots.get(group);
    const userData = userDataOf(group, boot?.userData);
    return {
      ...(userData === undefined ? {} : { userData }),
      needs: boot === undefined ? [] : [boot.planFile, ...identity, ...files].map(taskId),
    };
  });
  return [...identity, ...files, ...[...boots.values()].map(({ planFile }) => planFile), ...resources];
}

/** Machines find the cluster's files where spec.configBase says, which is the state store unless the spec says otherwise. */
function machinesStore({ spec, metadata }: Cluster): string {
  const base = (spec.configBase ?? '').replace(/\/$/, '');
  if (base.endsWith(`/${metadata.name}`)) return base.slice(0, -metadata.name.length - 1);
  throw new ActionableError({
    what: `compute the machines of ${metadata.name}`,
    why: `spec.configBase (${base}) does not end in the cluster's name`,
    next: `set it to the place where machines find the state store, followed by /${metadata.name}`,
  });
}
