import type { ClusterFacts } from '../cluster-facts.ts';
import { accountWith } from './access.ts';
import type { AddonObject } from './addon-object.ts';
import { ownNodeOnly } from './own-node-only.ts';
import { EVERY_MACHINE, fieldVariable, hostPath } from './pod-parts.ts';

const NAME = 'node-problem-detector';
const CONFIG = 'node-problem-detector-config';

/** A log line that means a problem: reported as an event, or as a condition while the problem lasts. */
interface Rule {
  readonly reason: string;
  readonly pattern: string;
  readonly condition?: string;
}

/** Problems in the kernel log (node-problem-detector config/kernel-monitor.json). */
const KERNEL: readonly Rule[] = [
  {
    reason: 'OOMKilling',
    pattern: String.raw`Killed process \d+ (.+) total-vm:\d+kB, anon-rss:\d+kB, file-rss:\d+kB.*`,
  },
  { reason: 'TaskHung', pattern: String.raw`task [\S ]+:\w+ blocked for more than \w+ seconds\.` },
  {
    reason: 'UnregisterNetDevice',
    pattern: String.raw`unregister_netdevice: waiting for \w+ to become free. Usage count = \d+`,
  },
  { reason: 'KernelOops', pattern: 'BUG: unable to handle kernel NULL pointer dereference at .*' },
  { reason: 'KernelOops', pattern: String.raw`divide error: 0000 \[#\d+\] SMP` },
  { reason: 'MemoryReadError', pattern: 'CE memory read error .*' },
  {
    reason: 'DockerHung',
    pattern: String.raw`task docker:\w+ blocked for more than \w+ seconds\.`,
    condition: 'KernelDeadlock',
  },
  { reason: 'FilesystemIsReadOnly', pattern: 'Remounting filesystem read-only', condition: 'ReadonlyFilesystem' },
];

const MONITOR = {
  plugin: 'kmsg',
  logPath: '/dev/kmsg',
  lookback: '5m',
  bufferSize: 10,
  source: 'kernel-monitor',
  conditions: [
    { type: 'KernelDeadlock', reason: 'KernelHasNoDeadlock', message: 'kernel has no deadlock' },
    { type: 'ReadonlyFilesystem', reason: 'FilesystemIsNotReadOnly', message: 'Filesystem is not read-only' },
  ],
  rules: KERNEL.map(({ reason, pattern, condition }) => ({
    type: condition === undefined ? 'temporary' : 'permanent',
    ...(condition === undefined ? {} : { condition }),
    reason,
    pattern,
  })),
};

/** Reports problems of machines as events and conditions of Nodes (kops addon node-problem-detector.addons.k8s.io). */
export function nodeProblemDetectorObjects({ spec, kubernetesVersion }: ClusterFacts): readonly AddonObject[] {
  const wished = spec.nodeProblemDetector ?? {};
  const labels = { app: NAME };
  return [
    ...accountWith(NAME, 'kops:node-problem-detector', [
      { group: '', resources: ['nodes'], verbs: ['get'] },
      { group: '', resources: ['nodes/status'], verbs: ['patch'] },
      { group: '', resources: ['events'], verbs: ['create', 'patch', 'update'] },
    ]),
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: CONFIG, namespace: 'kube-system' },
      data: { 'kernel-monitor.json': JSON.stringify(MONITOR, null, 2) },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: NAME, namespace: 'kube-system', labels },
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            ...EVERY_MACHINE,
            serviceAccountName: NAME,
            containers: [
              {
                name: NAME,
                image: wished.image,
                imagePullPolicy: 'IfNotPresent',
                command: [
                  '/node-problem-detector',
                  '--logtostderr',
                  '--config.system-log-monitor=/config/kernel-monitor.json',
                ],
                env: [fieldVariable('NODE_NAME', 'spec.nodeName')],
                resources: {
                  limits: {
                    memory: String(wished.memoryLimit),
                    ...(wished.cpuLimit === undefined ? {} : { cpu: String(wished.cpuLimit) }),
                  },
                  requests: { cpu: String(wished.cpuRequest), memory: String(wished.memoryRequest) },
                },
                securityContext: { privileged: true },
                volumeMounts: [
                  { mountPath: '/dev/kmsg', name: 'kmsg', readOnly: true },
                  { mountPath: '/etc/localtime', name: 'localtime', readOnly: true },
                  { mountPath: '/config', name: 'config', readOnly: true },
                ],
              },
            ],
            volumes: [
              hostPath('kmsg', '/dev/kmsg'),
              // It has the time zone of the machine.
              hostPath('localtime', '/etc/localtime', 'FileOrCreate'),
              { name: 'config', configMap: { name: CONFIG } },
            ],
          },
        },
      },
    },
    ...ownNodeOnly(kubernetesVersion, { name: NAME }),
  ];
}
