import { clusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { API_LOAD_BALANCER } from '@kopsctl/node-plan/boot-config.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { completeCluster } from '@kopsctl/spec/complete.ts';
import type { InstanceGroup, InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { aws } from '../../aws.ts';
import { awsTerraform } from '../../terraform/terraform-target.ts';
import { awsResources } from '../aws.ts';
import { awsModelCloud } from '../model-cloud.ts';

const group = (name: string, spec: InstanceGroupSpec): InstanceGroup => ({
  apiVersion: 'kops.k8s.io/v1alpha2',
  kind: 'InstanceGroup',
  metadata: { name },
  spec: { machineType: 'm5.large', subnets: ['a'], ...spec },
});

export interface Made {
  readonly tasks: readonly Task[];
  readonly named: (kind: string) => readonly string[];
  readonly terraform: () => string;
}

/** What is made of a cluster with these settings; `groups` are laid over the usual two. */
export function made(spec: ClusterSpec, groups: Readonly<Record<string, InstanceGroupSpec>> = {}): Made {
  const cluster = {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'Cluster',
    metadata: { name: 'demo.example.com' },
    spec: {
      cloudProvider: 'aws',
      kubernetesVersion: '1.35.0',
      networking: { cilium: {} },
      subnets: [{ name: 'a', type: 'Public', zone: 'us-east-1a', cidr: '172.20.32.0/19' }],
      ...spec,
    },
  } as const;
  const all = { 'control-plane': { role: 'Master' }, nodes: { role: 'Node' }, ...groups } as const;
  const instanceGroups = Object.entries(all).map(([name, own]) => group(name, own));
  const completed = completeCluster({ cluster, instanceGroups }, { stateStoreUrl: 's3://state' }, aws);
  const facts = clusterFacts(completed.cluster, 's3://state', awsModelCloud);
  const tasks = awsResources(facts, completed.instanceGroups, [], ({ spec }) => ({
    needs: [],
    ...(spec.role === 'Bastion' ? {} : { userData: `#!/bin/sh\n: ${API_LOAD_BALANCER}\n` }),
  }));
  return {
    tasks,
    named: (wanted) => tasks.filter(({ kind }) => kind === wanted).map(({ name }) => name),
    terraform: () => awsTerraform.render(completed.cluster, tasks, () => true).get('kubernetes.tf') ?? '',
  };
}
