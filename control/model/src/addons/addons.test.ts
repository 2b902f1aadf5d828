import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { expect, test } from 'vitest';
import { cloudControllerObjects } from '@kopsctl/clouds/aws/control/addons/cloud-controller.ts';
import { storageObjects } from '@kopsctl/clouds/aws/control/addons/storage-classes.ts';
import { bootstrapChannel } from './bootstrap-channel.ts';
import { corednsObjects } from './coredns.ts';
import { kubeDnsObjects } from './kube-dns.ts';
import { gceCloudControllerObjects } from '@kopsctl/clouds/gce/control/addons/cloud-controller.ts';
import { nodeLocalDnsObjects } from './node-local-dns.ts';
import { awsFacts, GROUPS } from './testdata/aws-facts.ts';

const names = (objects: readonly { readonly kind: string; readonly metadata: object }[]) =>
  objects.map(({ kind, metadata }) => `${kind}/${String(Reflect.get(metadata, 'name'))}`);

test('the cloud controller has the flags of kops', () => {
  const daemonSet = cloudControllerObjects(awsFacts()).find(({ kind }) => kind === 'DaemonSet');
  expect(JSON.stringify(daemonSet)).toContain(
    JSON.stringify([
      '--allocate-node-cidrs=true',
      '--cloud-config=/etc/kubernetes/cloud.config',
      '--cloud-provider=aws',
      '--cluster-cidr=100.96.0.0/11',
      '--cluster-name=demo.example.com',
      '--configure-cloud-routes=false',
      '--leader-elect=true',
      '--use-service-account-credentials=true',
      '--v=2',
    ]),
  );
});

test('with IPv6 alone, DNS servers translate IPv4 addresses, and a cache of a machine listens at an IPv6 address', () => {
  const facts = awsFacts({
    nonMasqueradeCIDR: '::/0',
    kubeDNS: { nodeLocalDNS: { enabled: true } },
    subnets: [{ name: 'us-east-1a', zone: 'us-east-1a', type: 'Public', cidr: '172.20.32.0/19', ipv6CIDR: '/64#0' }],
  });
  const corefileOf = (objects: ReturnType<typeof corednsObjects>): string =>
    String(Reflect.get(Object(objects.find(({ kind }) => kind === 'ConfigMap')?.['data']), 'Corefile'));
  const servers = corefileOf(corednsObjects(facts));
  expect(servers).toMatch(/^ {4}forward \. fd00:ec2::253 \{$/m);
  expect(servers).toMatch(/^ {4}dns64$/m);
  const cache = corefileOf(nodeLocalDnsObjects(facts));
  expect(cache).toMatch(/^ {4}bind fd00:90de:d95::1$/m);
  expect(cache).toMatch(/^ {4}health \[fd00:90de:d95::1\]:3989$/m);
  expect(cache).toMatch(/forward \. __PILLAR__UPSTREAM__SERVERS__\n {4}dns64$/m);
  expect(corefileOf(corednsObjects(awsFacts()))).not.toContain('dns64');
});

test('the cloud controller follows the settings of security groups and address families', () => {
  const cloudConfig = {
    disableSecurityGroupIngress: true,
    elbSecurityGroup: 'sg-1',
    nlbSecurityGroupMode: 'Managed',
    nodeIPFamilies: ['ipv6', 'ipv4'],
  };
  const objects = cloudControllerObjects(awsFacts({ cloudConfig }));
  expect(objects.find(({ kind }) => kind === 'ConfigMap')?.['data']).toEqual({
    'cloud.config': [
      '[global]',
      'DisableSecurityGroupIngress = true',
      'ElbSecurityGroup = sg-1',
      'NLBSecurityGroupMode = Managed',
      'NodeIPFamilies = ipv6',
      'NodeIPFamilies = ipv4',
      '',
    ].join('\n'),
  });
  // A change to its configuration restarts it.
  expect(JSON.stringify(objects)).toContain('NLBSecurityGroupMode = Managed; NodeIPFamilies = ipv6');
});

test("Google's cloud controller has the flags of kops, and is multizone", () => {
  const text = JSON.stringify(gceCloudControllerObjects(awsFacts({ cloudProvider: 'gce' })));
  expect(text).toContain(
    JSON.stringify([
      '--allocate-node-cidrs=true',
      '--cidr-allocator-type=CloudAllocator',
      '--cloud-config=/etc/kubernetes/cloud.config',
      '--cloud-provider=gce',
      '--cluster-cidr=100.96.0.0/11',
      '--cluster-name=demo-example-com',
      '--controllers=*',
      '--leader-elect=true',
      '--use-service-account-credentials=true',
      '--v=2',
    ]),
  );
  expect(text).toContain(String.raw`[global]\nmultizone = true\nnode-tags = demo-example-com-k8s-io-role-node\n`);
});

test("Google's cloud controller learns the subnet of load balancers inside, and whose the network is", () => {
  const subnets = [{ name: 'us-east1', region: 'us-east1' }];
  const config = (spec: ClusterSpec) =>
    String(
      Reflect.get(
        Object(
          gceCloudControllerObjects(awsFacts({ cloudProvider: 'gce', ...spec })).find(
            ({ kind }) => kind === 'ConfigMap',
          ),
        ),
        'data',
      )['cloud.config'],
    ).split('\n');
  expect(config({ project: 'p', subnets })).toContain('subnetwork-name = us-east1-demo-example-com');
  expect(config({ project: 'p', networkID: 'net', subnets: [{ id: 'apps' }] }).slice(3)).toEqual([
    'subnetwork-name = apps',
    '',
  ]);
  expect(config({ project: 'p', networkID: 'host/net', subnets: [{ id: 'apps' }] }).slice(3)).toEqual([
    'network-project-id = host',
    'network-name = net',
    'subnetwork-name = apps',
    '',
  ]);
});

test('exactly one storage class is the default', () => {
  const defaults = storageObjects().filter((object) => JSON.stringify(object).includes('is-default-class":"true"'));
  expect(names(defaults)).toEqual(['StorageClass/kops-csi-1-21']);
});

test("CoreDNS serves the cluster's domain at the cluster's address, and forwards as the spec says", () => {
  const kubeDNS = { upstreamNameservers: ['9.9.9.9'], stubDomains: { 'corp.example': ['10.0.0.53'] } };
  const objects = corednsObjects(awsFacts({ kubeDNS, clusterDNSDomain: 'cluster.test' }));
  const text = JSON.stringify(objects);
  expect(text).toContain('kubernetes cluster.test. in-addr.arpa ip6.arpa');
  expect(text).toContain('forward . 9.9.9.9 {');
  expect(text).toContain(String.raw`corp.example:53 {\n    errors\n    cache 30\n    forward . 10.0.0.53\n}`);
  expect(text).toContain('"clusterIP":"100.64.0.10"');
});

test("CoreDNS resolves the names of the API from the machine's hosts file if they are not in DNS", () => {
  const text = JSON.stringify(corednsObjects(awsFacts({ topology: { dns: { type: 'None' } } })));
  expect(text).toContain(
    String.raw`hosts /rootfs/etc/hosts api.internal.demo.example.com api.demo.example.com {\n      ttl 5\n      no_reverse\n      fallthrough\n    }`,
  );
  expect(text).toContain('{"name":"etc-hosts","hostPath":{"path":"/var/lib/kops/hosts","type":"File"}}');
  expect(JSON.stringify(corednsObjects(awsFacts()))).not.toContain('hosts');
});

test('Kubernetes 1.20 gets a CoreDNS that supports its EndpointSlices', () => {
  const image = (kubernetesVersion: string) => awsFacts({ kubernetesVersion }).spec.kubeDNS?.coreDNSImage;
  expect(image('1.20.15')).toBe('registry.k8s.io/coredns/coredns:v1.10.1');
  expect(image('1.21.0')).toBe('registry.k8s.io/coredns/coredns:v1.14.2');
});

test('other objects of the cluster file are one addon, without labels and as written', () => {
  const tasks = bootstrapChannel(awsFacts(), GROUPS, 'kind: ConfigMap\n');
  const channel = tasks.find(({ name }) => name === 'bootstrap-channel');
  expect(channel?.props['content']).toContain('name: cluster-addons.kops.k8s.io');
  expect(tasks.find(({ name }) => name === 'addon-cluster-addons.kops.k8s.io')?.props['content']).toBe(
    'kind: ConfigMap\n',
  );
  expect(bootstrapChannel(awsFacts(), GROUPS, undefined).map(({ name }) => name)).toEqual([
    'addon-rbac.addons.k8s.io',
    'addon-limit-range.addons.k8s.io',
    'addon-aws-cloud-controller.addons.k8s.io',
    'addon-coredns.addons.k8s.io',
    'addon-aws-ebs-csi-driver.addons.k8s.io',
    'addon-storage-aws.addons.k8s.io',
    'addon-node-termination-handler.aws',
    'bootstrap-channel',
  ]);
});

test('pods use the DNS cache of their machine, which forwards to a Service of its own', () => {
  const facts = awsFacts({ kubeDNS: { nodeLocalDNS: { enabled: true } } });
  expect(facts.spec.kubelet?.clusterDNS).toBe('169.254.20.10');
  expect(awsFacts().spec.kubelet?.clusterDNS).toBe('100.64.0.10');
  const text = JSON.stringify(nodeLocalDnsObjects(facts));
  expect(text).toContain(String.raw`cluster.local:53 {\n    errors\n    reload\n    loop\n    bind 169.254.20.10`);
  expect(text).toContain('forward . __PILLAR__CLUSTER__DNS__ {');
});

test.each(['CoreDNS', 'KubeDNS'])('%s runs where the spec says, with its annotations', (provider) => {
  const affinity = {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'pool', operator: 'In', values: ['dns'] }] }],
      },
    },
  };
  const tolerations = [{ key: 'pool', operator: 'Equal', value: 'dns', effect: 'NoSchedule' }];
  const facts = awsFacts({ kubeDNS: { provider, affinity, tolerations, podAnnotations: { team: 'names' } } });
  const objects = provider === 'CoreDNS' ? corednsObjects(facts) : kubeDnsObjects(facts);
  const server = objects.find(
    ({ kind, metadata }) => kind === 'Deployment' && !JSON.stringify(metadata).includes('autoscaler'),
  );
  expect(server?.['spec']).toMatchObject({
    template: { metadata: { annotations: { team: 'names' } }, spec: { affinity, tolerations } },
  });
});
