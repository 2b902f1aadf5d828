import { builtInAddons } from '@kopsctl/model/addons/built-in-addons.ts';
import { awsFacts, GROUPS } from '@kopsctl/model/addons/testdata/aws-facts.ts';
import { variablesOf } from '@kopsctl/model/addons/testdata/cloud-ways.ts';
import { items, podsIn } from '@kopsctl/model/addons/testdata/placed-pods.ts';
import { EVERY_ADDON, NETWORKS, OWN_ROLES } from '@kopsctl/model/addons/testdata/specs.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { expect, test } from 'vitest';
import { awsContext } from '../model/aws-context.ts';
import { machineRoles } from '../model/iam/machine-roles.ts';
import { components, serviceAccountRoles } from '../model/iam/service-accounts.ts';

const WITH_QUEUE: ClusterSpec = { ...OWN_ROLES, nodeTerminationHandler: { enabled: true } };

function rendered(spec: ClusterSpec) {
  const facts = awsFacts(spec);
  const pods = podsIn(builtInAddons(facts, GROUPS).flatMap(({ objects }) => objects));
  return { pods, context: awsContext(facts, GROUPS) };
}

/** The statements of the policy of a machine role. */
function policyOf(spec: ClusterSpec, role: string): string {
  const { context } = rendered(spec);
  const policy = machineRoles(context).find(({ kind, name }) => kind === 'aws/IamRolePolicy' && name.startsWith(role));
  return JSON.stringify(policy?.props['policy']);
}

test.each(Object.entries(NETWORKS))(
  'each role that a pod takes is made, for tokens of its service account alone (%s)',
  (_name, networking) => {
    const { pods, context } = rendered({ ...WITH_QUEUE, networking });
    const roles = serviceAccountRoles(context).filter(({ kind }) => kind === 'aws/IamRole');
    const taken = pods.flatMap(({ pod, account }) => {
      const arns = items(pod['containers']).flatMap((container) => variablesOf(container)['AWS_ROLE_ARN'] ?? []);
      return [...new Set(arns)].map((arn) => ({ account, role: arn.split('/').at(-1) }));
    });
    expect(taken.length).toBeGreaterThan(5);
    for (const { account, role } of taken) {
      const trust = JSON.stringify(roles.find(({ name }) => name === role)?.props['trust']);
      expect(trust).toContain(
        `"api.internal.demo.example.com:sub":"system:serviceaccount:${account.replace('/', ':')}"`,
      );
      expect(trust).toContain('sts:AssumeRoleWithWebIdentity');
    }
  },
);

test('each account that has a role is that of a pod which takes it', () => {
  const { pods, context } = rendered(WITH_QUEUE);
  const accounts = components(context).map(({ account }) => `${account.namespace}/${account.name}`);
  const taking = pods.filter(({ pod }) => JSON.stringify(pod).includes('AWS_ROLE_ARN')).map(({ account }) => account);
  // Without roles of its own, control planes do not have its permissions, and it is refused.
  expect(taking.toSorted()).toEqual([...accounts, 'kube-system/karpenter'].toSorted());
});

test('what runs as a control plane has its permissions by the role of these machines', () => {
  const permissions = [
    'autoscaling:SetDesiredCapacity',
    'ec2:CreateVolume',
    'elasticloadbalancing:CreateLoadBalancer',
    'route53:ChangeResourceRecordSets',
    'sqs:ReceiveMessage',
  ];
  for (const action of permissions) {
    expect(policyOf(EVERY_ADDON, 'masters.')).toContain(action);
    expect(policyOf(EVERY_ADDON, 'nodes.')).not.toContain(action);
  }
});

test.each([
  ['amazonvpc', { amazonvpc: {} }, 'ec2:AssignPrivateIpAddresses', 'nodes.'],
  [
    'Calico without the check of sources',
    { calico: { awsSrcDstCheck: 'Disable' } },
    'ec2:ModifyNetworkInterfaceAttribute',
    'nodes.',
  ],
  ['Cilium in the VPC', { cilium: { ipam: 'eni' } }, 'ec2:AttachNetworkInterface', 'masters.'],
])('%s has its permissions by the role of the machines that it runs on', (_name, networking, action, role) => {
  expect(policyOf({ ...EVERY_ADDON, networking }, role)).toContain(action);
  expect(policyOf({ ...WITH_QUEUE, networking }, role)).toContain(action);
});
