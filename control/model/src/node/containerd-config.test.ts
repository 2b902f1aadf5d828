import { describe, expect, test } from 'vitest';
import type { ContainerdConfig } from '@kopsctl/spec/cluster.ts';
import { containerdConfig, registryHosts, type ContainerdHost } from './containerd-config.ts';

const HOST: ContainerdHost = {
  version: '2.4.2',
  sandboxImage: 'registry.k8s.io/pause:3.10.1',
  cgroupDriver: 'systemd',
  cannotLowerOomScore: false,
  cniTemplate: '/etc/containerd/config-cni.template',
  handlers: {},
};

const config = (settings: ContainerdConfig = {}, host: Partial<ContainerdHost> = {}) =>
  containerdConfig(settings, { ...HOST, ...host });

describe('the configuration of containerd', () => {
  test('names the tables of the CRI plugins of 2.x', () => {
    expect(config()).toBe(`version = 4

[plugins."io.containerd.cri.v1.images".pinned_images]
sandbox = "registry.k8s.io/pause:3.10.1"

[plugins."io.containerd.cri.v1.images".registry]
config_path = "/etc/containerd/certs.d"

[plugins."io.containerd.cri.v1.runtime".cni]
conf_template = "/etc/containerd/config-cni.template"

[plugins."io.containerd.cri.v1.runtime".containerd]
default_runtime_name = "runc"

[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"

[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
SystemdCgroup = true
`);
  });

  test('names the one table of the CRI plugin of 1.x', () => {
    expect(
      config({}, { version: '1.6.20', cannotLowerOomScore: true, cniTemplate: undefined, cgroupDriver: 'cgroupfs' }),
    ).toBe(`version = 2

[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "registry.k8s.io/pause:3.10.1"
restrict_oom_score_adj = true

[plugins."io.containerd.grpc.v1.cri".registry]
config_path = "/etc/containerd/certs.d"

[plugins."io.containerd.grpc.v1.cri".containerd]
default_runtime_name = "runc"

[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"

[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
SystemdCgroup = false
`);
  });

  test.each([
    ['1.7.28', 2, 'sandbox_image = '],
    ['v2.0.0', 3, 'sandbox = '],
    ['2.2.4', 3, 'sandbox = '],
    ['2.3.4', 4, 'sandbox = '],
    ['2.3.0-rc.1', 4, 'sandbox = '],
    ['3.0.0', 4, 'sandbox = '],
  ])('of containerd %s has version %i', (version, format, image) => {
    const text = config({}, { version });
    expect(text).toContain(`version = ${format}\n`);
    expect(text).toContain(`${image}"registry.k8s.io/pause:3.10.1"`);
  });

  test('says what the spec wants of SELinux and NRI', () => {
    const text = config({ selinuxEnabled: true, nri: { enabled: true, pluginRequestTimeout: '5s' } });
    expect(text).toContain('[plugins."io.containerd.cri.v1.runtime"]\nenable_selinux = true\n');
    expect(text).toContain('[plugins."io.containerd.nri.v1.nri"]\ndisable = false\nplugin_request_timeout = "5s"\n');
    expect(config({ nri: { enabled: false } })).toContain('disable = true');
  });

  test('takes the additions of the spec, numbers as numbers and true and false as booleans', () => {
    const handler = 'plugins."io.containerd.cri.v1.runtime".containerd.runtimes.test-handler';
    const text = config({
      configAdditions: {
        [`${handler}.test_bool`]: 'true',
        [`${handler}.test_int`]: 1,
        [`${handler}.test_intstr`]: '1',
        'plugins."io.containerd.cri.v1.images".registry.config_path': '/etc/mirrors',
      },
    });
    expect(text).toContain(`[${handler}]\ntest_bool = true\ntest_int = 1\ntest_intstr = "1"\n`);
    expect(text).toContain('config_path = "/etc/mirrors"');
    expect(text).toContain('[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]');
  });

  test('has the runtimes of NVIDIA and of gVisor beside runc, which stays the usual one', () => {
    const runtimes = 'plugins."io.containerd.cri.v1.runtime".containerd.runtimes';
    const text = config({}, { handlers: { nvidia: {}, gvisor: { platform: 'kvm' } } });
    expect(text).toContain(
      `[${runtimes}.nvidia.options]\nSystemdCgroup = true\nBinaryName = "/usr/bin/nvidia-container-runtime"\n`,
    );
    expect(text).toContain(`[${runtimes}.runsc]\nruntime_type = "io.containerd.runsc.v1"\n`);
    expect(text).toContain('ConfigPath = "/etc/containerd/runsc.toml"');
    expect(text).toContain('default_runtime_name = "runc"');
  });

  test('refuses an addition that is not a key of TOML', () => {
    expect(() => config({ configAdditions: { 'plugins.a b': 1 } })).toThrow(/plugins\.a b.*not a dotted key/);
  });
});

describe('the mirrors of a registry', () => {
  test('are asked in the order of the spec', () => {
    expect(registryHosts('registry.k8s.io', ['https://mirror.example.com', 'https://backup.example.com'])).toEqual({
      path: '/etc/containerd/certs.d/registry.k8s.io/hosts.toml',
      text: `[host."https://mirror.example.com"]
capabilities = ["pull", "resolve"]

[host."https://backup.example.com"]
capabilities = ["pull", "resolve"]
`,
    });
  });

  test('of every other registry are in the folder _default', () => {
    expect(registryHosts('*', ['https://m']).path).toBe('/etc/containerd/certs.d/_default/hosts.toml');
  });
});
