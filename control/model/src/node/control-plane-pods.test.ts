import type { ClusterSpec, KubeAPIServerConfig } from '@kopsctl/spec/cluster.ts';
import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { filesOf, type PlannedCloud } from '../testdata/planned-files.ts';

const containerOf = (component: string, files: ReturnType<typeof filesOf>) =>
  parse(files.get(`/etc/kubernetes/manifests/${component}.manifest`) ?? '').spec.containers[0];

const FILE = '/srv/kubernetes/kube-apiserver/authentication.yaml';

describe('the probes of an API server', () => {
  it('ask its health where it answers that without credentials, and nothing else', () => {
    const files = filesOf('1.36.3');
    const { args, livenessProbe, readinessProbe, startupProbe } = containerOf('kube-apiserver', files);
    expect(parse(files.get(FILE) ?? '').anonymous).toEqual({
      enabled: true,
      conditions: [{ path: '/livez' }, { path: '/readyz' }],
    });
    expect(args).toContain(`--authentication-config=${FILE}`);
    // The API server refuses to start with both.
    expect(args.filter((arg: string) => arg.startsWith('--anonymous-auth'))).toEqual([]);
    const server = { host: '127.0.0.1', port: 443, scheme: 'HTTPS' };
    expect(livenessProbe.httpGet).toEqual({ ...server, path: '/livez?exclude=etcd' });
    expect(startupProbe.httpGet).toEqual({ ...server, path: '/livez?exclude=etcd' });
    expect(readinessProbe.httpGet).toEqual({ ...server, path: '/readyz' });
    // It is seen to run within a second of its start, and has five minutes for that.
    expect(startupProbe).toMatchObject({ periodSeconds: 1, failureThreshold: 300 });
  });

  it.each<[string, string, ClusterSpec]>([
    ['before 1.32', '1.31.9', {}],
    ['where a person turns anonymous requests off', '1.36.3', { kubeAPIServer: { anonymousAuth: false } }],
    ['beside the flags for OIDC', '1.36.3', { kubeAPIServer: { oidcIssuerURL: 'https://a', oidcClientID: 'b' } }],
    ['where nobody is asked who may do what', '1.36.3', { authorization: { alwaysAllow: {} } }],
    ["beside a person's own file", '1.36.3', { kubeAPIServer: { authenticationConfigFile: '/srv/mine.yaml' } }],
  ])('only ask the port %s', (_, version, spec) => {
    const files = filesOf(version, spec);
    const { args, livenessProbe, readinessProbe, startupProbe } = containerOf('kube-apiserver', files);
    expect(livenessProbe.tcpSocket).toEqual({ host: '127.0.0.1', port: 443 });
    expect([readinessProbe, startupProbe, files.get(FILE)]).toEqual([undefined, undefined, undefined]);
    expect(args).toContain('--anonymous-auth=false');
  });

  it('ask its health where a person lets everybody ask', () => {
    const files = filesOf('1.28.4', { kubeAPIServer: { anonymousAuth: true } });
    expect(containerOf('kube-apiserver', files).readinessProbe.httpGet.path).toBe('/readyz');
    expect(files.get(FILE)).toBeUndefined();
  });
});

test('an API server enables the admission plugins of the completed spec, and none that it is told to disable', () => {
  const kubeAPIServer = {
    enableAdmissionPlugins: ['PersistentVolumeLabel'],
    appendAdmissionPlugins: ['AlwaysPullImages', 'EventRateLimit'],
    disableAdmissionPlugins: ['EventRateLimit'],
  };
  const args: readonly string[] = containerOf('kube-apiserver', filesOf('1.36.3', { kubeAPIServer })).args;
  expect(args).toContain('--disable-admission-plugins=EventRateLimit');
  const plugins = args
    .find((arg) => arg.startsWith('--enable-admission-plugins='))
    ?.split('=')[1]
    ?.split(',');
  expect(plugins).toContain('AlwaysPullImages');
  expect(plugins).not.toContain('EventRateLimit');
  expect(plugins).not.toContain('PersistentVolumeLabel');
});

test("tokens are signed in the name of the cluster's own issuer, and those of further issuers are accepted", () => {
  const kubeAPIServer = {
    serviceAccountIssuer: 'https://own.example.com',
    additionalServiceAccountIssuers: ['https://z.example.com', 'https://a.example.com', 'https://own.example.com'],
  };
  const { args } = containerOf('kube-apiserver', filesOf('1.36.3', { kubeAPIServer }));
  // The API server signs in the name of the first.
  expect(args.filter((arg: string) => arg.startsWith('--service-account-issuer='))).toEqual([
    '--service-account-issuer=https://own.example.com',
    '--service-account-issuer=https://z.example.com',
    '--service-account-issuer=https://a.example.com',
  ]);
});

test('an API server gets each claim that tokens of OIDC need in a flag of its own, because it splits none', () => {
  const kubeAPIServer = { oidcRequiredClaim: ['hd=example.com', 'groups=a,b'] };
  const { args } = containerOf('kube-apiserver', filesOf('1.36.3', { kubeAPIServer }));
  expect(args.filter((arg: string) => arg.startsWith('--oidc-required-claim='))).toEqual([
    '--oidc-required-claim=hd=example.com',
    '--oidc-required-claim=groups=a,b',
  ]);
});

test('an API server asks the webhook on its own machine about AWS identities', () => {
  const files = filesOf('1.36.3', { authentication: { aws: {} } });
  const config = '/etc/kubernetes/authn.config';
  expect(parse(files.get(config) ?? '').clusters[0].cluster.server).toBe('https://127.0.0.1:21362/authenticate');
  const { args, volumeMounts } = containerOf('kube-apiserver', files);
  expect(args).toContain(`--authentication-token-webhook-config-file=${config}`);
  expect(volumeMounts).toContainEqual({ name: 'authenticationtokenwebhook', mountPath: config, readOnly: true });
  // A webhook of a person's own takes its place.
  const own = filesOf('1.36.3', {
    authentication: { aws: {} },
    kubeAPIServer: { authenticationTokenWebhookConfigFile: '/srv/own.yaml' },
  });
  expect(own.get(config)).toBeUndefined();
});

test('an API server has each file that its settings name, once', () => {
  const kubeAPIServer: KubeAPIServerConfig = {
    authenticationConfigFile: '/srv/mine.yaml',
    authorizationWebhookConfigFile: '/srv/rights.yaml',
    oidcCAFile: '/etc/ssl/issuer.pem',
  };
  const { volumeMounts } = containerOf('kube-apiserver', filesOf('1.36.3', { kubeAPIServer }));
  const mounted: readonly string[] = volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath);
  expect(mounted).toEqual(expect.arrayContaining(['/srv/mine.yaml', '/srv/rights.yaml', '/etc/ssl']));
  expect(mounted).not.toContain('/etc/ssl/issuer.pem');
  expect(new Set(mounted).size).toBe(mounted.length);
});

describe("a component's log file", () => {
  it('is written by klog until 1.25, by go-runner from 1.26 on', () => {
    const old = containerOf('kube-scheduler', filesOf('1.25.16'));
    expect(old.command).toEqual(['/usr/local/bin/kube-scheduler']);
    expect(old.args.at(-1)).toBe('--log-file=/var/log/kube-scheduler.log');
    const recent = containerOf('kube-scheduler', filesOf('1.26.0'));
    expect(recent.command).toEqual(['/go-runner']);
    expect(recent.args.slice(0, 3)).toEqual([
      '--log-file=/var/log/kube-scheduler.log',
      '--also-stdout',
      '/usr/local/bin/kube-scheduler',
    ]);
    expect(recent.volumeMounts[0].mountPath).toBe('/var/log/kube-scheduler.log');
  });

  it('is not written where images hold the program alone', () => {
    const { command, volumeMounts } = containerOf('kube-scheduler', filesOf('1.36.3', {}, 'local'));
    expect(command).toEqual(['/usr/local/bin/kube-scheduler']);
    expect(JSON.stringify(volumeMounts)).not.toContain('/var/log');
  });
});

describe("kubelet's access to the registry of its cloud", () => {
  const CONFIG = '/var/lib/kubelet/credential-provider.conf';
  const flags = (version: string, cloud: PlannedCloud = 'aws') =>
    filesOf(version, {}, cloud).get('/etc/sysconfig/kubelet');

  it('is by a program of the cloud from 1.27 on', () => {
    expect(flags('1.27.0')).toContain(
      `--image-credential-provider-bin-dir=/usr/local/bin --image-credential-provider-config=${CONFIG}`,
    );
    expect(flags('1.26.15')).not.toContain('image-credential-provider');
    expect(flags('1.36.3', 'local')).not.toContain('image-credential-provider');
  });

  it('is to ECR, and to mirrors where a person says that they are there', () => {
    const mirrors = { registryMirrors: { 'docker.io': ['https://mirror.example.com'] } };
    const config = (containerd: NonNullable<ClusterSpec['containerd']>) => {
      const [provider] = parse(filesOf('1.36.3', { containerd }).get(CONFIG) ?? '').providers;
      return provider;
    };
    expect(config({})).toMatchObject({
      apiVersion: 'credentialprovider.kubelet.k8s.io/v1',
      name: 'ecr-credential-provider',
      defaultCacheDuration: '12h0m0s',
      args: ['get-credentials'],
      env: [{ name: 'AWS_REGION', value: 'us-east-1' }],
    });
    expect(config(mirrors).matchImages).not.toContain('docker.io');
    expect(config({ ...mirrors, useECRCredentialsForMirrors: true }).matchImages).toContain('docker.io');
  });
});

it('kubelet takes as many pods as its machine has addresses for, where a person does not say how many', () => {
  const maxPods = (spec: ClusterSpec) =>
    /^maxPods: .*$/m.exec(filesOf('1.36.3', spec).get('/var/lib/kubelet/kubelet.conf') ?? '')?.[0];
  // Not in quotes: the field is a number.
  expect(maxPods({ networking: { amazonvpc: {} } })).toBe('maxPods: @{podLimit}');
  expect(maxPods({ networking: { cilium: { ipam: 'eni' } } })).toBe('maxPods: @{podLimit}');
  expect(maxPods({ networking: { amazonvpc: {} }, masterKubelet: { maxPods: 29 } })).toBe('maxPods: 29');
  expect(maxPods({ networking: { cilium: {} } })).toBeUndefined();
});

describe('the files of audits', () => {
  const mountsOf = (kubeAPIServer: KubeAPIServerConfig) => {
    const { spec } = parse(
      filesOf('1.35.0', { kubeAPIServer }).get('/etc/kubernetes/manifests/kube-apiserver.manifest') ?? '',
    );
    return [spec.volumes, spec.containers[0].volumeMounts];
  };

  it('are mounted: the folder of the log, which is renamed in it, and the policy', () => {
    const [volumes, mounts] = mountsOf({ auditLogPath: '/var/log/audit/api.log', auditPolicyFile: '/etc/audit.yaml' });
    expect(volumes).toContainEqual({
      name: 'auditlogpathdir',
      hostPath: { path: '/var/log/audit', type: 'DirectoryOrCreate' },
    });
    expect(mounts).toContainEqual({ name: 'auditlogpathdir', mountPath: '/var/log/audit' });
    expect(volumes).toContainEqual({ name: 'auditpolicy', hostPath: { path: '/etc/audit.yaml', type: 'File' } });
    expect(mounts).toContainEqual({ name: 'auditpolicy', mountPath: '/etc/audit.yaml', readOnly: true });
  });

  it('need no mount in the folder of the API server, nor on its standard output', () => {
    const auditPolicyFile = '/srv/kubernetes/kube-apiserver/audit.yaml';
    expect(mountsOf({ auditLogPath: '-', auditPolicyFile })).toEqual(mountsOf({}));
  });
});

test('an isolated control plane runs no kube-proxy, and its kubelet answers neither exec nor logs', () => {
  const spec: ClusterSpec = { isolateMasters: true, kubeProxy: { enabled: true } };
  const [control, worker] = [filesOf('1.35.0', spec), filesOf('1.35.0', spec, 'aws', 'Node')];
  const PROXY = '/etc/kubernetes/manifests/kube-proxy.manifest';
  expect([control.has(PROXY), worker.has(PROXY)]).toEqual([false, true]);
  const kubelet = (files: typeof control) =>
    [...files.values()].find((text) => text.includes('KubeletConfiguration')) ?? '';
  expect(parse(kubelet(control))).toMatchObject({ enableDebuggingHandlers: false, hairpinMode: 'none' });
  expect(parse(kubelet(worker))).toMatchObject({ enableDebuggingHandlers: true });
});
