import { describe, expect, test } from 'vitest';
import { EXTERNAL_ANNOTATION, INTERNAL_ANNOTATION, type AnnotatedObjects } from './annotated-records.ts';
import { wantedRecords, type ClusterFacts } from './wanted-records.ts';

const clusterName = 'demo.example.com';
const nothing: AnnotatedObjects = { nodes: [], pods: [], services: [], ingresses: [] };

const facts: ClusterFacts = {
  clusterName,
  isIpv6Only: false,
  publishes: {
    apiPublicName: `api.${clusterName}`,
    apiInternalName: `api.internal.${clusterName}`,
    kopsController: true,
  },
  apiServers: [
    { internalAddresses: ['10.0.0.1'], externalAddresses: ['192.0.2.1'] },
    { internalAddresses: ['10.0.0.2'], externalAddresses: [] },
  ],
  controlPlanes: [{ internalAddresses: ['10.0.0.1'], externalAddresses: ['192.0.2.1'] }],
  etcdMembers: [
    { name: `etcd-a.internal.${clusterName}`, addresses: ['10.0.0.1'] },
    { name: `etcd-b.internal.${clusterName}`, addresses: [] },
  ],
  objects: nothing,
};

const told = (changed: Partial<ClusterFacts>) =>
  wantedRecords({ ...facts, ...changed }).map(({ name, type, values }) => `${type} ${name} = ${values.join(' ')}`);

test('a cluster publishes the names that kops gives to its components', () => {
  expect(told({})).toEqual([
    'A api.demo.example.com = 192.0.2.1',
    'A api.internal.demo.example.com = 10.0.0.1 10.0.0.2',
    'A kops-controller.internal.demo.example.com = 10.0.0.1',
    'A etcd-a.internal.demo.example.com = 10.0.0.1',
    // Its volume is moving from one machine to another; the name keeps its addresses.
    'A etcd-b.internal.demo.example.com = ',
  ]);
});

test('names exist before any address is known, in the address family of the machines', () => {
  const names = ['api', 'api.internal', 'kops-controller.internal'].map((name) => `${name}.demo.example.com`);
  expect(told({ apiServers: [], controlPlanes: [], etcdMembers: [] })).toEqual(names.map((name) => `A ${name} = `));
  expect(told({ apiServers: [], controlPlanes: [], etcdMembers: [], isIpv6Only: true })).toEqual(
    names.map((name) => `AAAA ${name} = `),
  );
});

test('names that belong to a load balancer are not wanted', () => {
  expect(told({ publishes: { kopsController: false }, apiServers: [], controlPlanes: [], etcdMembers: [] })).toEqual(
    [],
  );
});

describe('annotations', () => {
  const node = (name: string, labels = {}, annotations = {}) => ({
    metadata: { name, labels, annotations },
    status: {
      addresses: [
        { type: 'InternalIP', address: `10.0.1.${name}` },
        { type: 'ExternalIP', address: `192.0.2.${name}` },
        { type: 'InternalIP', address: `fd00::${name}` },
        { type: 'Hostname', address: name },
      ],
    },
  });
  const controlPlane = node('1', { 'node-role.kubernetes.io/control-plane': '' });
  const worker = node('2', { 'node-role.kubernetes.io/node': '' });
  const wanted = (objects: Partial<AnnotatedObjects>) =>
    told({
      publishes: { kopsController: false },
      apiServers: [],
      controlPlanes: [],
      etcdMembers: [],
      objects: { ...nothing, ...objects },
    });

  test('of a node publish the addresses of the node', () => {
    const nodes = [
      node(
        '3',
        {},
        { [INTERNAL_ANNOTATION]: 'In.example.com., in2.example.com', [EXTERNAL_ANNOTATION]: 'out.example.com' },
      ),
    ];
    expect(wanted({ nodes })).toEqual([
      'A in.example.com = 10.0.1.3',
      'AAAA in.example.com = fd00::3',
      'A in2.example.com = 10.0.1.3',
      'AAAA in2.example.com = fd00::3',
      'A out.example.com = 192.0.2.3',
      'AAAA out.example.com = fd00::3',
    ]);
  });

  test('of a pod publish its own address, and externally that of its node if it uses the host network', () => {
    const pod = (hostNetwork: boolean) => ({
      metadata: { annotations: { [INTERNAL_ANNOTATION]: 'in.example.com', [EXTERNAL_ANNOTATION]: 'out.example.com' } },
      spec: { hostNetwork, nodeName: '2' },
      status: { podIP: '10.9.0.1' },
    });
    expect(wanted({ nodes: [worker], pods: [pod(false)] })).toEqual(['A in.example.com = 10.9.0.1']);
    const evicted = { ...pod(true), status: { podIP: '10.9.0.1', phase: 'Failed' } };
    expect(wanted({ nodes: [worker], pods: [evicted] })).toEqual([]);
    expect(wanted({ nodes: [worker], pods: [pod(true)] })).toEqual([
      'A in.example.com = 10.9.0.1',
      'A out.example.com = 192.0.2.2',
      'AAAA out.example.com = fd00::2',
    ]);
  });

  test('of kube-apiserver pods are ignored in favour of the machines that run', () => {
    const annotations = { [INTERNAL_ANNOTATION]: `api.internal.${clusterName}` };
    const pod = {
      metadata: { annotations },
      spec: { hostNetwork: true, nodeName: '1' },
      status: { podIP: '10.9.9.9' },
    };
    const lines = told({ objects: { ...nothing, nodes: [controlPlane], pods: [pod] } });
    expect(lines.filter((line) => line.includes(`api.internal.${clusterName}`))).toEqual([
      'A api.internal.demo.example.com = 10.0.0.1 10.0.0.2',
    ]);
  });

  test.each(['api', 'api.internal', 'kops-controller.internal', 'etcd-a.internal', 'etcd-events-z.internal'])(
    'of no object add addresses to %s, also where a load balancer has it',
    (first) => {
      const annotations = { [EXTERNAL_ANNOTATION]: `${first}.${clusterName}.` };
      const host = { rules: [{ host: `${first}.${clusterName}` }] };
      const status = { loadBalancer: { ingress: [{ ip: '203.0.113.9' }] } };
      const objects = {
        nodes: [node('3', {}, annotations)],
        pods: [{ metadata: { annotations }, spec: { hostNetwork: true, nodeName: '3' } }],
        services: [{ metadata: { annotations }, spec: { type: 'LoadBalancer' }, status }],
        ingresses: [{ spec: host, status }],
      };
      expect(wanted(objects)).toEqual([]);
      expect(told({ objects })).toEqual(told({}));
    },
  );

  test('of a service publish its load balancer or the workers', () => {
    const service = (type: string, annotation: string, ingress: readonly object[] = []) => ({
      metadata: { annotations: { [annotation]: 'svc.example.com' } },
      spec: { type },
      status: { loadBalancer: { ingress } },
    });
    const nodes = [controlPlane, worker];
    const one = (type: string, annotation: string, ingress?: readonly object[]) =>
      wanted({ nodes, services: [service(type, annotation, ingress)] });
    expect(one('LoadBalancer', EXTERNAL_ANNOTATION, [{ hostname: 'lb.example.net' }])).toEqual([
      'CNAME svc.example.com = lb.example.net',
    ]);
    expect(one('LoadBalancer', INTERNAL_ANNOTATION, [{ ip: '10.0.0.9' }, { ip: 'fd00::9' }])).toEqual([
      'A svc.example.com = 10.0.0.9',
      'AAAA svc.example.com = fd00::9',
    ]);
    expect(one('NodePort', INTERNAL_ANNOTATION)).toEqual([
      'A svc.example.com = 10.0.1.2',
      'AAAA svc.example.com = fd00::2',
    ]);
    expect(one('ClusterIP', INTERNAL_ANNOTATION)).toEqual([]);
  });

  test('are not needed on an ingress: the hosts of its rules lead to its load balancer', () => {
    const ingress = {
      spec: { rules: [{ host: 'Shop.example.com' }, { host: 'shop.example.com' }, { host: '*.shop.example.com' }, {}] },
      status: { loadBalancer: { ingress: [{ hostname: 'lb.example.net' }] } },
    };
    expect(wanted({ ingresses: [ingress, { spec: { rules: [{ host: 'new.example.com' }] }, status: {} }] })).toEqual([
      'CNAME shop.example.com = lb.example.net',
      'CNAME *.shop.example.com = lb.example.net',
    ]);
  });
});
