import type { ClusterFacts } from '../cluster-facts.ts';
import { accountWith } from './access.ts';
import type { AddonObject } from './addon-object.ts';
import { ownNodeOnly } from './own-node-only.ts';
import { EVERY_MACHINE, fieldVariable, hostPath } from './pod-parts.ts';

const NAME = 'node-problem-detector';
/** Configuration files in the image, by kind of monitor (kops addon node-problem-detector.addons.k8s.io). */
const MONITORS = {
  'system-log-monitor': ['kernel-monitor', 'systemd-monitor'],
  'custom-plugin-monitor': ['kernel-monitor-counter', 'systemd-monitor-counter'],
  'system-stats-monitor': ['system-stats-monitor'],
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
                  ...Object.entries(MONITORS).map(
                    ([kind, names]) => `--config.${kind}=${names.map((name) => `/config/${name}.json`).join(',')}`,
                  ),
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
                  { mountPath: '/etc/machine-id', name: 'machine-id', readOnly: true },
                  { mountPath: '/var/log', name: 'log', readOnly: true },
                ],
              },
            ],
            volumes: [
              hostPath('kmsg', '/dev/kmsg'),
              // It has the time zone of the machine.
              hostPath('localtime', '/etc/localtime', 'FileOrCreate'),
              // The journal of the machine is in the folder of its id.
              hostPath('machine-id', '/etc/machine-id', 'File'),
              hostPath('log', '/var/log', 'Directory'),
            ],
          },
        },
      },
    },
    ...ownNodeOnly(kubernetesVersion, { name: NAME }),
  ];
}
