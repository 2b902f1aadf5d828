const LOCAL = { spec: 'cloudProvider: local\n  networkCIDR: 172.30.0.0/22', group: '' };
const AWS = {
  spec: `cloudProvider: aws
  kubernetesVersion: 1.32.0
  networkCIDR: 172.20.0.0/16
  networking:
    cni: {}
  subnets:
  - name: us-east-1a
    zone: us-east-1a
    type: Public
    cidr: 172.20.32.0/19`,
  group: '\n  image: ami-12345678\n  machineType: t3.medium\n  subnets:\n  - us-east-1a',
};

/** A spec with this number of instance groups, to measure the time of a plan. */
export function clusterWithGroups(name: string, groups: number, cloud: 'local' | 'aws' = 'local'): string {
  const own = cloud === 'aws' ? AWS : LOCAL;
  const group = (groupName: string, role: string) => `---
apiVersion: kops.k8s.io/v1alpha2
kind: InstanceGroup
metadata:
  name: ${groupName}
  labels:
    kops.k8s.io/cluster: ${name}
spec:
  role: ${role}${own.group}
  minSize: 1
  maxSize: 1
`;
  return `apiVersion: kops.k8s.io/v1alpha2
kind: Cluster
metadata:
  name: ${name}
spec:
  ${own.spec}
${group('control-plane', 'Master')}${Array.from({ length: groups - 1 }, (_, index) => group(`nodes-${index + 1}`, 'Node')).join('')}`;
}
