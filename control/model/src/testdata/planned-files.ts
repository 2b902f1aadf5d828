import { awsModelCloud } from '@kopsctl/clouds/aws/control/model/model-cloud.ts';
import { specCloud } from '@kopsctl/clouds/control.ts';
import { localModelCloud } from '@kopsctl/clouds/local/control/model/model-cloud.ts';
import type { Cluster, ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { completeCluster } from '@kopsctl/spec/complete.ts';
import { clusterFacts } from '../cluster-facts.ts';
import type { NodePlanInput } from '../node/node-context.ts';
import { buildNodePlan } from '../node/node-plan.ts';
import { publishedAssets } from '../assets/published-assets.ts';
import { ASSETS, kubernetesEntries } from './asset-index.ts';

const CLOUDS = { aws: awsModelCloud, local: localModelCloud };

export type PlannedCloud = keyof typeof CLOUDS;

/** The text of each file that the plan of a machine writes, by path. */
export function filesOf(
  kubernetesVersion: string,
  spec: ClusterSpec = {},
  cloud: PlannedCloud = 'aws',
  role: 'Master' | 'Node' = 'Master',
  given: Pick<NodePlanInput, 'schedulerConfiguration'> = {},
): ReadonlyMap<string, string> {
  const input: Cluster = {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'Cluster',
    metadata: { name: 'demo.example.com' },
    spec: {
      cloudProvider: cloud,
      kubernetesVersion,
      ...(cloud === 'aws' && { subnets: [{ name: 'a', zone: 'us-east-1a', type: 'Public', cidr: '172.20.32.0/19' }] }),
      // What the assets of these tests hold.
      etcdClusters: [{ name: 'main', version: '3.5.21' }],
      ...spec,
    },
  };
  const group = (name: string, one: 'Master' | 'Node') =>
    ({ apiVersion: '', kind: 'InstanceGroup', metadata: { name }, spec: { role: one, minSize: 1, maxSize: 1 } }) as const;
  const { cluster, instanceGroups } = completeCluster(
    { cluster: input, instanceGroups: [group('cp', 'Master'), group('nodes', 'Node')] },
    { stateStoreUrl: 's3://state' },
    specCloud(input),
  );
  const instanceGroup = instanceGroups.find((one) => one.spec.role === role);
  if (instanceGroup === undefined) throw new Error('completion lost the group');
  const facts = clusterFacts(cluster, 's3://state', CLOUDS[cloud]);
  const agents = { version: '0.1.0', baseUrl: 'https://agents.example.com' };
  const assets =
    cloud === 'aws'
      ? publishedAssets(facts, instanceGroup, { agents }, 'amd64')
      : [...ASSETS.assets, ...kubernetesEntries(kubernetesVersion)];
  const plan = buildNodePlan(
    { cloud: CLOUDS[cloud], cluster, instanceGroup, nodeStoreUrl: 's3://state', ...given },
    { assets, sha256Of: () => '0'.repeat(64) },
    [],
  );
  return new Map(
    plan.tasks.flatMap(({ kind, props: { path, content } }) =>
      kind === 'File' && typeof path === 'string' ? [[path, String({ text: '', ...Object(content) }.text)] as const] : [],
    ),
  );
}
