import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { adaptPlan } from './adapt-plan.ts';

const adapted = (tasks: readonly object[]) =>
  JSON.parse(adaptPlan(JSON.stringify({ role: 'Node', tasks }), (url) => `hash of ${url}`));

test('a download has the hash of what stands for it, in its archive and where it is placed too', () => {
  const tasks = [
    { kind: 'Asset', name: 'etcd-3.6.1', props: { urls: ['https://a/etcd.tar.gz'], sha256: '00' } },
    { kind: 'Archive', name: 'etcd-3.6.1', props: { identity: '00', into: '/opt/etcd', strip: 1 } },
    { kind: 'Asset', name: 'runc-1.5', props: { urls: ['https://a/runc.amd64'], sha256: '00' } },
    {
      kind: 'File',
      name: 'runc',
      props: {
        path: '/usr/local/sbin/runc',
        content: { assetPath: { ref: 'Asset/runc-1.5', output: 'path' }, sha256: '00' },
      },
    },
    { kind: 'Package', name: 'logrotate', props: { name: 'logrotate' } },
  ];
  expect(adapted(tasks)).toEqual({
    role: 'Node',
    tasks: [
      {
        kind: 'Asset',
        name: 'etcd-3.6.1',
        props: { urls: ['https://a/etcd.tar.gz'], sha256: 'hash of https://a/etcd.tar.gz' },
      },
      {
        kind: 'Archive',
        name: 'etcd-3.6.1',
        props: { identity: 'hash of https://a/etcd.tar.gz', into: '/opt/etcd', strip: 1 },
      },
      {
        kind: 'Asset',
        name: 'runc-1.5',
        props: { urls: ['https://a/runc.amd64'], sha256: 'hash of https://a/runc.amd64' },
      },
      {
        kind: 'File',
        name: 'runc',
        props: {
          path: '/usr/local/sbin/runc',
          content: { assetPath: { ref: 'Asset/runc-1.5', output: 'path' }, sha256: 'hash of https://a/runc.amd64' },
        },
      },
    ],
  });
});

test('a program of Kubernetes is run without the wrapper of its published image', () => {
  const path = '/etc/kubernetes/manifests/kube-proxy.manifest';
  const text = `spec:
  containers:
    - args: [--log-file=/var/log/kube-proxy.log, --also-stdout, /usr/local/bin/kube-proxy, --v=2]
      command: [/go-runner]
      name: kube-proxy
`;
  const [file] = adapted([{ kind: 'File', name: 'x', props: { path, content: { text } } }]).tasks;
  expect(parse(file.props.content.text).spec.containers).toEqual([
    { args: ['--v=2'], command: ['/usr/local/bin/kube-proxy'], name: 'kube-proxy' },
  ]);
});
