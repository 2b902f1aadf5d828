import { describe, expect, it } from 'vitest';
import { formatFieldError } from './field-error.ts';
import { parseObjects } from './parse.ts';

const HEAD = 'apiVersion: kops.k8s.io/v1alpha2\nkind: Cluster\nmetadata:\n  name: demo.example.com\n';
const faultsOf = (text: string) => parseObjects(text, 'demo.yaml').errors.map(formatFieldError);
const faultsOfSpec = (spec: string) => faultsOf(`${HEAD}spec:\n${spec}`);

describe('parseObjects', () => {
  it('reads all documents of a text, with comments and empty documents between them', () => {
    const group =
      'apiVersion: kops/v1alpha2\nkind: InstanceGroup\nmetadata: {name: nodes, labels: {kops.k8s.io/cluster: demo.example.com}}\n';
    const { objects, errors } = parseObjects(`# mine\n---\n${HEAD}---\n# nothing\n---\n${group}---\n`, 'demo.yaml');
    expect(errors).toEqual([]);
    expect(objects.map(({ kind, name, cluster }) => [kind, name, cluster])).toEqual([
      ['Cluster', 'demo.example.com', 'demo.example.com'],
      ['InstanceGroup', 'nodes', 'demo.example.com'],
    ]);
  });

  it('reads JSON, anchors and merge keys', () => {
    expect(
      parseObjects(
        JSON.stringify({ apiVersion: 'kops.k8s.io/v1alpha2', kind: 'Cluster', metadata: { name: 'a.b' } }),
        'a',
      ).errors,
    ).toEqual([]);
    const { objects, errors } = parseObjects(
      `${HEAD}spec:\n  kubelet: &all {logLevel: 3, cgroupRoot: /}\n  masterKubelet:\n    <<: *all\n    logLevel: 4\n`,
      'demo.yaml',
    );
    expect(errors).toEqual([]);
    expect(objects[0]?.value).toMatchObject({ spec: { masterKubelet: { logLevel: 4, cgroupRoot: '/' } } });
  });

  it('reads durations and quantities as kops prints them', () => {
    const kubelet = '{streamingConnectionIdleTimeout: 60s}';
    const kubeAPIServer = '{cpuRequest: 0.5, memoryRequest: 1024Mi, eventTTL: 1h}';
    const { objects } = parseObjects(`${HEAD}spec:\n  kubelet: ${kubelet}\n  kubeAPIServer: ${kubeAPIServer}\n`, 'a');
    expect(objects[0]?.value).toMatchObject({
      spec: {
        kubelet: { streamingConnectionIdleTimeout: '1m0s' },
        kubeAPIServer: { cpuRequest: '500m', memoryRequest: '1Gi', eventTTL: '1h0m0s' },
      },
    });
  });

  it('reports every fault in a file with its position', () => {
    expect(
      faultsOf(
        `${HEAD}spec:\n  kubernetesVersio: 1.20.2\n  etcdClusters:\n  - members: []\n  kubelet:\n    maxPods: three\n---\nkind: Cluster\n---\napiVersion: kops.k8s.io/v1alpha2\nkind: InstanceGroop\n`,
      ),
    ).toEqual([
      'demo.yaml:6:3: spec.kubernetesVersio: unknown field (did you mean kubernetesVersion?)',
      'demo.yaml:8:5: spec.etcdClusters[0].members: unknown field (write etcdMembers)',
      "demo.yaml:10:14: spec.kubelet.maxPods: expected an integer, found 'three'",
      'demo.yaml:12:1: apiVersion: apiVersion must be set (e.g. apiVersion: kops.k8s.io/v1alpha2, kind: Cluster)',
      "demo.yaml:15:1: kind: unknown kind 'InstanceGroop' (did you mean InstanceGroup?)",
    ]);
  });

  it.each([
    [
      'kubernetesVersion: 1.20',
      'spec.kubernetesVersion: expected a string, found the number 1.20 (put it in quotes: "1.20")',
    ],
    ['encryptionConfig: yes', "spec.encryptionConfig: expected true or false, found 'yes'"],
    [
      'encryptionConfig: "true"',
      "spec.encryptionConfig: expected true or false, found 'true' (write it without quotes)",
    ],
    ['cloudProvider: loca', "found 'loca' (did you mean local?)"],
    ['subnets: {name: a}', 'spec.subnets: expected a list, found a mapping'],
    ['subnets: [~]', 'spec.subnets[0]: this item is empty'],
    ['kubelet: {streamingConnectionIdleTimeout: 5}', 'expected a duration such as 30s or 1h30m, found the number 5'],
    ['kubeAPIServer: {cpuRequest: lots}', "expected a quantity such as 100m or 1Gi, found 'lots'"],
    ['kubelet: {maxPods: 3000000000}', 'expected an integer, found the number 3000000000'],
    ['networking: {subnets: []}', 'spec.networking.subnets: unknown field (write spec.subnets)'],
    [
      'topology: {dns: {}}\n  topology: {}',
      'demo.yaml:7:3: spec.topology: this key is written twice (keep one of them)',
    ],
    ['cloudLabels: {a.b/c: 1}', 'spec.cloudLabels["a.b/c"]: expected a string, found the number 1'],
  ])('refuses %s', (spec, fault) => {
    expect(faultsOfSpec(`  ${spec}\n`)).toEqual([expect.stringContaining(fault)]);
  });

  it('leaves out a field of another place or version where that is wanted, and says so; a misspelled one stays a fault', () => {
    const text = `${HEAD}spec:\n  rootVolume: {size: 3}\n  etcdClusters:\n  - name: main\n    type: gp3\n  kubernetesVersio: 1.20.2\n`;
    const { leftOut, errors, faulty } = parseObjects(text, 'demo.yaml', { misplaced: 'leave-out' });
    const left = 'is not read here, and is left out, as kops leaves it out';
    expect(leftOut.map(formatFieldError)).toEqual([
      `demo.yaml:6:3: spec.rootVolume: ${left}`,
      `demo.yaml:9:5: spec.etcdClusters[0].type: ${left}`,
    ]);
    expect(errors.map(formatFieldError)).toEqual([
      'demo.yaml:10:3: spec.kubernetesVersio: unknown field (did you mean kubernetesVersion?)',
    ]);
    expect(faulty[0]?.value).toMatchObject({ spec: { etcdClusters: [{ name: 'main' }] } });
    expect(parseObjects(text, 'demo.yaml').errors).toHaveLength(3);
  });

  it('reports invalid YAML and still reads the other documents', () => {
    const { objects, errors } = parseObjects(`a: [1\nb: }\n---\n${HEAD}`, 'demo.yaml');
    expect(errors.length).toBeGreaterThan(0);
    expect(errors[0]).toMatchObject({ file: 'demo.yaml', line: 2, path: '' });
    expect(objects).toHaveLength(1);
  });

  it.each([
    ['  kubelet: *lost\n', 'demo.yaml:6:12: there is no anchor &lost before this *lost'],
    [
      '  {}\n---\napiVersion: kops/v1alpha2\nkind: Host\nmetadata: {name: ~}\n',
      'demo.yaml:10:1: metadata.name: must be set',
    ],
  ])('reports what would otherwise be ignored: %j', (spec, fault) => {
    expect(faultsOfSpec(spec)).toEqual([fault]);
  });

  it('reads null as "not set"', () => {
    const { objects } = parseObjects(`${HEAD}spec:\n  channel:\n  networking: {kubenet: ~}\n`, 'demo.yaml');
    expect(objects[0]?.value).toHaveProperty('spec', { networking: {} });
  });

  it('returns objects of other APIs separately', () => {
    const { additional, errors } = parseObjects(
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: "1", y: null}\n',
      'a.yaml',
    );
    expect(errors).toEqual([]);
    expect(additional).toMatchObject([{ kind: 'ConfigMap', name: 'a', value: { data: { x: '1', y: null } } }]);
  });

  it.each([
    ['kops.k8s.io/v1alpha1', "version 'kops.k8s.io/v1alpha1' is not read (write kops.k8s.io/v1alpha2)"],
    ['v1', "unknown version 'v1' (did you mean kops.k8s.io/v1alpha2?)"],
  ])('refuses a Cluster of version %s', (version, fault) => {
    expect(faultsOf(`apiVersion: ${version}\nkind: Cluster\n`)).toEqual([`demo.yaml:1:1: apiVersion: ${fault}`]);
  });

  it('returns the position of a path, or of its nearest parent', () => {
    const [object] = parseObjects(
      `${HEAD}spec:\n  etcdClusters:\n  - name: main\n  - name: events\n`,
      'demo.yaml',
    ).objects;
    expect(object?.positionOf('spec.etcdClusters[1].name')).toEqual({ file: 'demo.yaml', line: 8, column: 5 });
    expect(object?.positionOf('spec.etcdClusters[1].etcdMembers[0].name')).toMatchObject({ line: 8 });
    expect(object?.positionOf('spec.kubelet')).toMatchObject({ line: 5 });
  });

  it('rejects aliases that contain themselves or multiply', () => {
    expect(faultsOfSpec('  kubelet: &k\n    featureGates: *k\n').length).toBeGreaterThan(0);
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefghi'
        .split('')
        .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[index]}`).join(',')}]`),
    ];
    const { errors } = parseObjects(`apiVersion: v1\nkind: Bomb\n${bomb.join('\n')}\n`, 'bomb.yaml');
    expect(errors.map(({ message }) => message)).toContain('this document is too large');
  });
});

describe('parseObjects of v1alpha3', () => {
  const V3 = HEAD.replace('v1alpha2', 'v1alpha3');

  it('converts it to v1alpha2', () => {
    const text = `${V3}spec:\n  cloudProvider:\n    aws: {}\n  networking:\n    subnets:\n    - name: a\n      cidr: 10.0.0.0/24\n`;
    const { objects, errors } = parseObjects(text, 'demo.yaml');
    expect(errors).toEqual([]);
    expect(objects[0]?.value).toEqual({
      apiVersion: 'kops.k8s.io/v1alpha2',
      kind: 'Cluster',
      metadata: { name: 'demo.example.com' },
      spec: { cloudProvider: 'aws', subnets: [{ name: 'a', cidr: '10.0.0.0/24' }] },
    });
  });

  it('returns the position of a v1alpha2 path, and the path as it was written', () => {
    const text = `${V3}spec:\n  networking:\n    subnets:\n    - name: a\n      cidr: 10.0.0.0/24\n`;
    const [object] = parseObjects(text, 'demo.yaml').objects;
    expect(object?.positionOf('spec.subnets[0].cidr')).toEqual({ file: 'demo.yaml', line: 9, column: 7 });
    expect(object?.pathOf('spec.subnets[0].cidr')).toBe('spec.networking.subnets[0].cidr');
    expect(object?.positionOf('spec.networkCIDR')).toMatchObject({ line: 6 });
  });

  it('rejects unsupported fields with the path that was written', () => {
    const spec = [
      '  networking:',
      '    networkCIDr: 10.0.0.0/8',
      '  masterPublicName: api.example.com',
      '  cloudProvider:',
      '    aws: {}',
      '    gce: {project: mine}',
      '  kubelet: {hostnameOverride: x}',
      '  authentication: {oidc: {requiredClaims: {a: 1}}}',
      '  etcdClusters:',
      '  - etcdMembers:',
      '    - volumeIops: 3',
    ];
    expect(faultsOf(`${V3}spec:\n${spec.join('\n')}\n`)).toEqual([
      'demo.yaml:7:5: spec.networking.networkCIDr: unknown field (did you mean networkCIDR?)',
      'demo.yaml:8:3: spec.masterPublicName: unknown field (write spec.api.publicName)',
      'demo.yaml:11:5: spec.cloudProvider.gce: a cluster is in one cloud, and this one is in aws already (keep one of them)',
      'demo.yaml:12:13: spec.kubelet.hostnameOverride: unknown field (only v1alpha2 has it; remove it)',
      'demo.yaml:13:47: spec.authentication.oidc.requiredClaims.a: expected a string, found the number 1 (put it in quotes: "1")',
      'demo.yaml:16:7: spec.etcdClusters[0].etcdMembers[0].volumeIops: unknown field (write spec.etcdClusters[0].etcdMembers[0].volumeIOPS)',
    ]);
  });

  it.each([
    ['networking: {tagSubnets: true}', 'unknown field (write spec.DisableSubnetTags, which is spelled differently)'],
    ['configStore: {base: s3://x}', 'expected a string, found a mapping'],
    ['api: {access: []}', 'unknown field (write spec.kubernetesApiAccess)'],
    [
      'authentication: {oidc: {}}',
      'unknown field (write spec.kubeAPIServer.oidcClientID, spec.kubeAPIServer.oidcGroupsClaim, spec.kubeAPIServer.oidcGroupsPrefix, …)',
    ],
    ['controlPlaneKubelet: {}', 'unknown field (write spec.masterKubelet)'],
  ])('names the field of v1alpha2 where %s stands in it', (spec, fault) => {
    expect(faultsOfSpec(`  ${spec}\n`).join()).toContain(fault);
  });
});
