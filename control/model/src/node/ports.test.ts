import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { filesOf } from '../testdata/planned-files.ts';

const VERSIONS = Array.from({ length: 17 }, (_, index) => `1.${20 + index}.1`);

const containerOf = (component: string, files: ReturnType<typeof filesOf>) =>
  parse(files.get(`/etc/kubernetes/manifests/${component}.manifest`) ?? '').spec.containers[0];
const kubeletOf = (files: ReturnType<typeof filesOf>) => ({
  file: parse(files.get('/var/lib/kubelet/kubelet.conf') ?? ''),
  flags: files.get('/etc/sysconfig/kubelet') ?? '',
});

/**
 * Ports that answer without credentials. Which version has which was seen with the programs themselves (1.20.2, 1.36.3), and in the
 * release notes of 1.22 (kubernetes#96216) and 1.23 (kubernetes#96345).
 */
describe.each(VERSIONS)('with Kubernetes %s', (version) => {
  const machines = { 'a control plane': filesOf(version), 'a worker': filesOf(version, {}, 'aws', 'Node') };

  it.each(Object.entries(machines))('kubelet of %s serves no port without credentials', (_, files) => {
    const { file, flags } = kubeletOf(files);
    // A field that the file lacks is 0 as well; a kubelet without a file would open 10255.
    expect(file.readOnlyPort).toBe(0);
    expect(flags).toContain('--config=/var/lib/kubelet/kubelet.conf');
    expect(flags).not.toContain('read-only-port');
    expect(file.authentication).toEqual({
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: '/srv/kubernetes/ca.crt' },
    });
    expect(file.authorization).toEqual({ mode: 'Webhook' });
  });

  it('kube-scheduler serves TLS alone', () => {
    const { args, livenessProbe } = containerOf('kube-scheduler', machines['a control plane']);
    const minor = Number(version.split('.')[1]);
    // With a file of settings, kube-scheduler before 1.23 ignores --port (kubernetes#109900).
    expect(args.includes('--port=0')).toBe(minor < 23);
    expect(args.some((arg: string) => arg.startsWith('--config='))).toBe(minor >= 23);
    expect(livenessProbe.httpGet).toEqual({ host: '127.0.0.1', path: '/healthz', port: 10259, scheme: 'HTTPS' });
  });

  it('kube-controller-manager serves TLS alone', () => {
    const { args, livenessProbe } = containerOf('kube-controller-manager', machines['a control plane']);
    expect(args.includes('--port=0')).toBe(Number(version.split('.')[1]) < 22);
    expect(livenessProbe.httpGet).toEqual({ host: '127.0.0.1', path: '/healthz', port: 10257, scheme: 'HTTPS' });
  });
});

it('a kube-scheduler without a file of settings is told all of them by flags', () => {
  const files = filesOf('1.22.17', { kubeScheduler: { qps: '7', burst: 9, kubeAPIBurst: 1 } });
  expect(files.get('/var/lib/kube-scheduler/config.yaml')).toBeUndefined();
  expect(containerOf('kube-scheduler', files).args).toEqual(
    expect.arrayContaining([
      '--kubeconfig=/var/lib/kube-scheduler/kubeconfig',
      '--kube-api-qps=7',
      '--kube-api-burst=9',
    ]),
  );
  const newer = filesOf('1.23.17', { kubeScheduler: { qps: '7', burst: 9 } });
  expect(parse(newer.get('/var/lib/kube-scheduler/config.yaml') ?? '')).toEqual({
    apiVersion: 'kubescheduler.config.k8s.io/v1beta2',
    clientConnection: { burst: 9, kubeconfig: '/var/lib/kube-scheduler/kubeconfig', qps: 7 },
    kind: 'KubeSchedulerConfiguration',
  });
});

it("a person's own port of kubelet acts", () => {
  for (const version of VERSIONS) {
    expect(kubeletOf(filesOf(version, { masterKubelet: { readOnlyPort: 10255 } })).file.readOnlyPort).toBe(10255);
  }
});
