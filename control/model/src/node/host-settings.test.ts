import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';
import { taskId, type Task } from '@kopsctl/tasks/task.ts';
import { expect, test } from 'vitest';
import { GROUPS, awsFacts } from '../addons/testdata/aws-facts.ts';
import { nodeBoot } from '../group-boot.ts';
import { publishedAssets } from '../assets/published-assets.ts';

/** What the machines of a group boot with. */
function boot(spec: ClusterSpec, own: InstanceGroupSpec = {}, role = 'Node', mirrors: readonly string[] = []) {
  const facts = awsFacts(spec);
  const group = GROUPS.find((one) => one.spec.role === role);
  if (group === undefined) throw new Error(role);
  const machines = { ...group, spec: { ...group.spec, ...own } };
  const agents = { version: '0.1.0', baseUrl: 'https://releases.example.com' };
  const assets = publishedAssets(facts, machines, { agents }, 'amd64');
  const { nodeTasks, userData } = nodeBoot(facts, machines, { assets, sha256Of: () => '0'.repeat(64) }, mirrors);
  const find = (id: string): Task | undefined => nodeTasks.find((task) => taskId(task) === id);
  const text = (path: string): string => String(Object(find(`File/${path}`)?.props['content']).text);
  return { find, text, userData };
}

const VOLUMES = [
  { device: '/dev/nvme1n1', filesystem: 'xfs', path: '/var/lib/containerd', mountOptions: ['noatime'] },
  { device: '/dev/nvme2n1', filesystem: 'xfs', path: '/data/my-disk', formatOptions: ['-L', 'data'] },
];

test('a volume of the spec is formatted only where blkid finds nothing, and mounted before the runtime starts', () => {
  const { find, text } = boot({}, { volumeMounts: VOLUMES });
  const format = text('etc/systemd/system/kops-format-data-my\\x2ddisk.service');
  expect(format).toContain('After=dev-nvme2n1.device');
  expect(format).toContain('test $$? -ne 2 || exec mkfs.xfs -L data');
  expect(text('etc/systemd/system/var-lib-containerd.mount')).toContain('Options=noatime');
  const runtime = find('Service/containerd.service')?.props['after'];
  expect(runtime).toContainEqual({ ref: 'Service/var-lib-containerd.mount' });
  expect(find('Package/xfsprogs')).toBeDefined();
});

test('everything that reaches the Internet is told of the proxy, and of what it reaches without it', () => {
  const egressProxy = { httpProxy: { host: 'proxy.example.com', port: 3128 }, excludes: 'registry.example.com' };
  const { userData, text } = boot({ egressProxy }, {}, 'Master');
  expect(userData).toContain("export https_proxy='http://proxy.example.com:3128'");
  expect(userData).toContain('DefaultEnvironment="HTTPS_PROXY=http://proxy.example.com:3128"');
  expect(userData).toMatch(/no_proxy='registry\.example\.com,127\.0\.0\.1,.*169\.254\.169\.254,/);
  expect(text('etc/kubernetes/manifests/kube-apiserver.manifest')).toContain('value: http://proxy.example.com:3128');
  expect(boot({}).userData).not.toContain('proxy');
});

test('the clock and updates are kept as the spec says, and without a word as the image does', () => {
  const kept = boot({ ntp: { managed: true }, updatePolicy: 'external' });
  expect(kept.find('Package/chrony')).toBeDefined();
  expect(kept.text('etc/chrony.conf')).toContain('pool 169.254.169.123 prefer iburst');
  expect(kept.text('etc/apt/apt.conf.d/20auto-upgrades')).toBe('APT::Periodic::Enable "0";\n');
  const updated = boot({ updatePolicy: 'external', packages: ['unattended-upgrades'] }, { updatePolicy: 'automatic' });
  // Amazon Linux and Red Hat's family have no such package, and a machine waits for what it cannot install.
  expect(updated.find('Package/unattended-upgrades')?.props).toEqual({
    name: 'unattended-upgrades',
    onlyOn: 'debian',
  });
  expect(boot({}).find('Package/chrony')).toBeUndefined();
  expect(boot({}).find('File/etc/apt/apt.conf.d/20auto-upgrades')).toBeUndefined();
});

test('with SELinux, the policy for containers is there before containerd, whose programs get its labels', () => {
  const { find, text } = boot({ containerd: { selinuxEnabled: true } });
  expect(find('Package/container-selinux')?.props).toEqual({ name: 'container-selinux', onlyOn: 'fedora' });
  expect(find('Service/containerd.service')?.props['after']).toContainEqual({ ref: 'Package/container-selinux' });
  const unit = 'etc/systemd/system/containerd.service';
  expect(text(unit)).toContain('ExecStartPre=-/usr/sbin/restorecon /usr/local/bin/containerd ');
  expect(boot({}).find('Package/container-selinux')).toBeUndefined();
  expect(boot({}).text(unit)).not.toContain('restorecon');
});

test('containerd that is not installed is only started', () => {
  const { find } = boot({}, { containerd: { skipInstall: true } });
  expect(find('Service/containerd.service')?.props).toMatchObject({ running: true, restartOnPaths: [] });
  expect(find('File/etc/containerd/config.toml')).toBeUndefined();
  expect(boot({}).find('File/etc/containerd/config.toml')).toBeDefined();
});

test('crictl and nerdctl are unpacked among the programs of machines that want them', () => {
  const { find } = boot({ containerd: { installNerdCtl: true } }, { containerd: { installCriCtl: true } });
  expect(find('Archive/crictl')?.props['into']).toBe('/usr/local/bin');
  expect(find('Archive/nerdctl')?.props['into']).toBe('/usr/local/bin');
  expect(find('Asset/nerdctl')?.props['urls']).toEqual([
    'https://github.com/containerd/nerdctl/releases/download/v1.7.4/nerdctl-1.7.4-linux-amd64.tar.gz',
  ]);
  expect(boot({}).find('Archive/crictl')).toBeUndefined();
});

test('machines of a warm pool pull its images before they are needed', () => {
  const { find, text } = boot(
    {},
    { warmPool: { minSize: 0, additionalImages: ['registry.example.com/app:1', 'busybox'] } },
  );
  const unit = text('etc/systemd/system/kops-warm-images.service');
  expect(unit).toMatch(/images pull --hosts-dir \/etc\/containerd\/certs.d registry.example.com\/app:1$/m);
  expect(unit).toMatch(/docker.io\/library\/busybox:latest$/m);
  expect(unit).toContain('$$@');
  expect(find('Service/kops-warm-images.service')?.props).toMatchObject({ enabled: true, noBlock: true });
  const warmPool = { maxSize: 0, additionalImages: ['busybox'] };
  expect(boot({}, { warmPool }).find('Service/kops-warm-images.service')).toBeUndefined();
});

test('gVisor is set up on workers alone, and the runtime of NVIDIA on machines with a GPU', () => {
  const containerd = { gvisor: { enabled: true }, nvidiaGPU: { enabled: true } };
  const worker = boot({ containerd }, { nodeLabels: { 'kops.k8s.io/gpu': '1' } });
  expect(worker.text('etc/containerd/runsc.toml')).toContain('platform = "systrap"');
  expect(worker.text('etc/containerd/config.toml')).toContain('.runtimes.nvidia]');
  const controlPlane = boot({ containerd }, {}, 'Master');
  expect(controlPlane.find('File/etc/containerd/runsc.toml')).toBeUndefined();
  expect(controlPlane.text('etc/containerd/config.toml')).not.toMatch(/nvidia|runsc/);
});

test('kubelet, crictl and whatever imports images look for containerd where the spec has it listen', () => {
  const { text } = boot({ containerd: { address: '/run/cluster/containerd.sock' } });
  expect(text('etc/sysconfig/containerd')).toContain('--address=/run/cluster/containerd.sock');
  expect(text('etc/crictl.yaml')).toBe('runtime-endpoint: unix:///run/cluster/containerd.sock\n');
  expect(text('var/lib/kubelet/kubelet.conf')).toContain('unix:///run/cluster/containerd.sock');
  const older = boot({ kubernetesVersion: '1.26.0', containerd: { address: '/run/cluster/containerd.sock' } });
  expect(older.text('etc/sysconfig/kubelet')).toContain(
    '--container-runtime-endpoint=unix:///run/cluster/containerd.sock',
  );
});

test('the programs of runtimes come from the repositories of those who make them, on machines that use them', () => {
  const gpu = { nodeLabels: { 'kops.k8s.io/gpu': '1' } };
  const containerd = { nvidiaGPU: { enabled: true, package: 'nvidia-driver-570-server' }, gvisor: { enabled: true } };
  const { find } = boot({ containerd }, gpu);
  expect(find('Package/nvidia-driver-570-server')?.props).toMatchObject({ onlyOn: 'ubuntu' });
  const toolkit = find('Package/nvidia-container-toolkit')?.props;
  const key = { urls: ['https://nvidia.github.io/libnvidia-container/gpgkey'], sha256: '0'.repeat(64) };
  expect(toolkit).toMatchObject({ source: { key } });
  expect(toolkit?.['after']).toEqual([{ ref: 'Package/nvidia-driver-570-server' }]);
  expect(find('Package/runsc')?.props).toMatchObject({ onlyOn: 'debian', source: { name: 'gvisor' } });
  const others = boot({ containerd });
  expect(others.find('Package/nvidia-container-toolkit')).toBeUndefined();
  expect(boot({ containerd }, {}, 'Master').find('Package/runsc')).toBeUndefined();
});

test('the key of a package repository is asked for first where the files of the spec are', () => {
  const { find } = boot({ containerd: { gvisor: { enabled: true } } }, {}, 'Node', ['https://files.example.com/kops']);
  expect(find('Package/runsc')?.props['source']).toMatchObject({
    key: { urls: ['https://files.example.com/kops/archive.key', 'https://gvisor.dev/archive.key'] },
  });
});

test("machines of Karpenter's groups register with the taint that it takes from them, where it is installed", () => {
  const taint = 'karpenter.sh/unregistered';
  const kubeletFile = (spec: ClusterSpec, own: InstanceGroupSpec) =>
    boot(spec, own).text('var/lib/kubelet/kubelet.conf');
  expect(kubeletFile({ karpenter: { enabled: true } }, { manager: 'Karpenter' })).toContain(taint);
  expect(kubeletFile({ karpenter: { enabled: true } }, {})).not.toContain(taint);
  expect(kubeletFile({}, { manager: 'Karpenter' })).not.toContain(taint);
});
