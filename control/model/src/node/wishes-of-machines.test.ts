import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { filesOf } from '../testdata/planned-files.ts';

const SYSCTLS = '/etc/sysctl.d/99-k8s-general.conf';
const linesOf = (path: string, ...given: Parameters<typeof filesOf>) => (filesOf(...given).get(path) ?? '').split('\n');

test('connections of the machine itself take no port that Services may have', () => {
  expect(linesOf(SYSCTLS, '1.36.3')).toContain('net.ipv4.ip_local_reserved_ports = 30000-32767');
  const kubeAPIServer = { serviceNodePortRange: '30000-50000' };
  expect(linesOf(SYSCTLS, '1.36.3', { kubeAPIServer })).toContain('net.ipv4.ip_local_reserved_ports = 30000-50000');
});

test('with Cilium, packets of pods and their answers may take different interfaces, also of pods that come later', () => {
  const lines = linesOf(SYSCTLS, '1.36.3', { networking: { cilium: {} } });
  expect(lines).toContain('net.ipv4.conf.all.rp_filter = 0');
  expect(lines).toContain('net.ipv4.conf.lxc*.rp_filter = 0');
  expect(linesOf(SYSCTLS, '1.36.3').join()).not.toContain('rp_filter');
});

test('the system leaves the routes of a network that makes its own', () => {
  const path = '/etc/systemd/networkd.conf.d/40-foreign-routes.conf';
  expect(linesOf(path, '1.36.3', { networking: { cilium: {} } })).toContain('ManageForeignRoutes=no');
  expect(filesOf('1.36.3', { networking: { calico: {} } }).get(path)).toBeUndefined();
});

test('a log may be rotated twice a day', () => {
  expect(linesOf('/etc/logrotate.d/kube-apiserver', '1.36.3')).toContain('  dateformat -%Y%m%d-%s');
});

test('kubelet and its runtime are in the cgroups that a person accounts for them', () => {
  const kubelet = { kubeletCgroups: '/kube-reserved', runtimeCgroups: '/runtime.slice' };
  const files = filesOf('1.36.3', { kubelet }, 'aws', 'Node');
  expect(files.get('/etc/systemd/system/kubelet.service')).toMatch(/^Slice=kube-reserved\.slice$/m);
  expect(files.get('/etc/systemd/system/containerd.service')).toMatch(/^Slice=runtime\.slice$/m);
});

test('API servers know the CAs of every distribution', () => {
  expect(filesOf('1.36.3').get('/etc/kubernetes/manifests/kube-apiserver.manifest')).toContain('/etc/pki/ca-trust');
});

describe('settings of the scheduler that have a field in its configuration file', () => {
  const CONFIG = '/var/lib/kube-scheduler/config.yaml';
  const kubeScheduler = {
    enableContentionProfiling: false,
    enableProfiling: false,
    kubeAPIBurst: 80,
    kubeAPIQPS: '40',
    logFormat: 'json',
  };
  const rendered = (version: string, wished: ClusterSpec['kubeScheduler']) => {
    const files = filesOf(version, { ...(wished && { kubeScheduler: wished }) });
    const pod = parse(files.get('/etc/kubernetes/manifests/kube-scheduler.manifest') ?? '');
    const args: readonly string[] = pod.spec.containers[0].args;
    return { file: parse(files.get(CONFIG) ?? ''), args };
  };

  it('stand there, because kube-scheduler ignores their flags beside it', () => {
    const { file, args } = rendered('1.36.3', kubeScheduler);
    expect(file).toMatchObject({
      enableContentionProfiling: false,
      enableProfiling: false,
      clientConnection: { burst: 80, qps: 40 },
    });
    expect(args.filter((arg) => /profiling|kube-api/.test(arg))).toEqual([]);
    expect(args).toContain('--logging-format=json');
  });

  it('are flags where it has no file', () => {
    const { file, args } = rendered('1.22.17', kubeScheduler);
    expect(file).toBeNull();
    expect(args).toEqual(
      expect.arrayContaining([
        '--kube-api-burst=80',
        '--kube-api-qps=40',
        '--profiling=false',
        '--contention-profiling=false',
      ]),
    );
  });

  it('are those of the spec where it has them twice: those of the file', () => {
    const { file } = rendered('1.36.3', { ...kubeScheduler, qps: '30', burst: 60 });
    expect(file.clientConnection).toMatchObject({ burst: 60, qps: 30 });
  });
});

test('the scheduler packs as a person says, and asks the API with its own credentials', () => {
  const schedulerConfiguration = {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    clientConnection: { kubeconfig: '/tmp/mine', qps: 5 },
    profiles: [{ schedulerName: 'packed' }],
  };
  const text = filesOf('1.36.3', {}, 'aws', 'Master', { schedulerConfiguration }).get(
    '/var/lib/kube-scheduler/config.yaml',
  );
  expect(parse(text ?? '')).toEqual({
    ...schedulerConfiguration,
    clientConnection: { kubeconfig: '/var/lib/kube-scheduler/kubeconfig', qps: 5 },
  });
  expect(() => filesOf('1.20.2', {}, 'local', 'Master', { schedulerConfiguration })).toThrow(
    'configured by flags alone',
  );
});

test('with SELinux, static pods may read what is theirs on the machine', () => {
  const path = '/etc/kubernetes/manifests/kube-apiserver.manifest';
  expect(filesOf('1.36.3', { containerd: { selinuxEnabled: true } }).get(path)).toContain('type: spc_t');
  expect(filesOf('1.36.3').get(path)).not.toContain('seLinuxOptions');
});
