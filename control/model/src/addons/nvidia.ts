import type { NvidiaGpuConfig } from '@kopsctl/spec/cluster.ts';
import { completedValue } from '../completed-value.ts';
import { DEFAULT_SYSTEM_CALLS, UNPRIVILEGED } from '../pod-security.ts';
import { GPU_LABEL } from '../runtime/runtime-handlers.ts';
import type { AddonObject } from './addon-object.ts';
import { hostPath, variables } from './pod-parts.ts';

const PLUGIN = 'nvidia-device-plugin';
const EXPORTER = 'dcgm-exporter';
const EXPORTER_PORT = 9400;

/** The spec names no image of it. */
const EXPORTER_IMAGE = 'nvcr.io/nvidia/k8s/dcgm-exporter:3.3.8-3.6.0-ubuntu22.04';

/** Where pods with the runtime of NVIDIA go: to machines with a GPU, whose taint they tolerate. */
const PLACE = {
  nodeSelector: { [GPU_LABEL]: '1' },
  tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' }],
};

/**
 * The runtime class, the plugin that tells kubelet about the GPUs, and the exporter that measures them (kops addon
 * nvidia.addons.k8s.io).
 */
export const nvidiaObjects = ({ image, dcgmExporter }: NvidiaGpuConfig): readonly AddonObject[] => [
  {
    apiVersion: 'node.k8s.io/v1',
    kind: 'RuntimeClass',
    metadata: { name: 'nvidia' },
    handler: 'nvidia',
    scheduling: PLACE,
  },
  // Names and labels are those of kops's plugin, which it replaces: two of them would give out the same GPUs.
  onMachinesWithGpu(
    `${PLUGIN}-daemonset`,
    { name: `${PLUGIN}-ds` },
    {
      containers: [
        {
          name: `${PLUGIN}-ctr`,
          image: completedValue('spec.containerd.nvidiaGPU.image', image),
          // The driver may be installed later than kubelet starts.
          args: ['--fail-on-init-error=false'],
          securityContext: UNPRIVILEGED,
          volumeMounts: [{ name: 'device-plugin', mountPath: '/var/lib/kubelet/device-plugins' }],
        },
      ],
      volumes: [hostPath('device-plugin', '/var/lib/kubelet/device-plugins')],
    },
  ),
  ...(dcgmExporter?.enabled === true ? [exporter, exporterService] : []),
];

const onMachinesWithGpu = (name: string, labels: Readonly<Record<string, string>>, pod: object): AddonObject => {
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace: 'kube-system', labels },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          ...PLACE,
          priorityClassName: 'system-node-critical',
          runtimeClassName: 'nvidia',
          automountServiceAccountToken: false,
          securityContext: DEFAULT_SYSTEM_CALLS,
          ...pod,
        },
      },
    },
  };
};

/** The metrics of GPUs for Prometheus, with the pods that use them, which kubelet reports. */
const exporter = onMachinesWithGpu(
  EXPORTER,
  { 'app.kubernetes.io/name': EXPORTER },
  {
    containers: [
      {
        name: EXPORTER,
        image: EXPORTER_IMAGE,
        args: ['-f', '/etc/dcgm-exporter/dcp-metrics-included.csv'],
        env: variables({ DCGM_EXPORTER_KUBERNETES: true, DCGM_EXPORTER_LISTEN: `:${EXPORTER_PORT}` }),
        ports: [{ name: 'metrics', containerPort: EXPORTER_PORT }],
        // It reads the counters of the hardware.
        securityContext: { capabilities: { add: ['SYS_ADMIN'], drop: ['ALL'] } },
        ...Object.fromEntries(
          ['livenessProbe', 'readinessProbe'].map((probe) => [
            probe,
            { httpGet: { path: '/health', port: EXPORTER_PORT }, initialDelaySeconds: 45 },
          ]),
        ),
        volumeMounts: [{ name: 'pod-gpu-resources', mountPath: '/var/lib/kubelet/pod-resources', readOnly: true }],
      },
    ],
    volumes: [hostPath('pod-gpu-resources', '/var/lib/kubelet/pod-resources')],
  },
);

const exporterService: AddonObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: EXPORTER, namespace: 'kube-system', labels: { 'app.kubernetes.io/name': EXPORTER } },
  spec: {
    selector: { 'app.kubernetes.io/name': EXPORTER },
    ports: [{ name: 'metrics', port: EXPORTER_PORT, targetPort: EXPORTER_PORT, protocol: 'TCP' }],
  },
};
