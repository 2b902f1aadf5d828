/** A spec with a given number of worker instance groups, for timing a plan. */
export function clusterWithGroups(name: string, groups: number): string {
  const group = (groupName: string, role: string) => `---
apiVersion: kops.k8s.io/v1alpha2
kind: InstanceGroup
metadata:
  name: ${groupName}
  labels:
    kops.k8s.io/cluster: ${name}
spec:
  role: ${role}
  minSize: 1
  maxSize: 1
`;
  return `apiVersion: kops.k8s.io/v1alpha2
kind: Cluster
metadata:
  name: ${name}
spec:
  cloudProvider: local
  networkCIDR: 172.30.0.0/22
${group('control-plane', 'Master')}${Array.from({ length: groups - 1 }, (_, index) => group(`nodes-${index + 1}`, 'Node')).join('')}`;
}
