import { containerdSettings } from '../runtime/containerd-settings.ts';
import type { JsonObject, Task, TaskId } from '@kopsctl/tasks/task.ts';
import { stringify } from 'yaml';
import type { NodeContext } from './node-context.ts';
import { type NodeImage, pauseImage } from './images.ts';
import { after, textFile } from './node-task.ts';
import { MACHINE_LABEL } from '../addons/machine-label.ts';
import { publishesNames } from '../discovery.ts';
import { proxyEnvironment } from '../egress-proxy.ts';
import { DEFAULT_SYSTEM_CALLS, WITHOUT_CAPABILITIES } from '../pod-security.ts';
import { MANIFESTS_DIR, POD_HOSTS } from './paths.ts';
import { probesOf, type PodProbes } from './pod-probes.ts';

export interface HostMount {
  readonly name: string;
  /** The path in the pod. */
  readonly path: string;
  /** The path on the machine, where it is a different one. */
  readonly hostPath?: string;
  readonly readOnly: boolean;
  /** kubelet's check of the host path; a pod waits until it holds. */
  readonly type?: 'File' | 'FileOrCreate' | 'Directory' | 'DirectoryOrCreate';
}

export interface ComponentResources {
  readonly cpuRequest?: string | number;
  readonly cpuLimit?: string | number;
  readonly memoryRequest?: string | number;
  readonly memoryLimit?: string | number;
}

export interface StaticPod {
  readonly name: string;
  readonly image: NodeImage;
  readonly flags: readonly string[];
  readonly resources: ComponentResources;
  readonly priorityClass: 'system-cluster-critical' | 'system-node-critical';
  readonly mounts: readonly HostMount[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly env?: readonly unknown[];
  /** If it is not set, the container runs as root without the capabilities of root, except those below. */
  readonly privileged?: boolean;
  readonly capabilities?: readonly string[];
  /** It writes nowhere but in its mounts. */
  readonly readOnlyRoot?: boolean;
  readonly port?: number;
  readonly probes?: PodProbes;
  readonly after: readonly TaskId[];
}

/**
 * The mount that a pod needs to resolve names in /etc/hosts, because kubelet copies that file only when the pod starts.
 * Nothing where the names are in DNS.
 */
export const hostsMount = (node: NodeContext): readonly HostMount[] =>
  publishesNames(node)
    ? []
    : [{ name: 'etchosts', path: '/etc/hosts', hostPath: POD_HOSTS, readOnly: true, type: 'File' }];

/**
 * The manifest of one of Kubernetes's components, in the shape kops gives it: in the host's network, logging to a file of the
 * host as well. It is written after everything that it needs, because kubelet starts it the moment it sees it, and a start
 * without its image or keys costs a back-off of ten seconds.
 */
export function staticPod(node: NodeContext, pod: StaticPod): Task {
  const log = `/var/log/${pod.name}.log`;
  const mounts: readonly HostMount[] = [
    ...(logsToFile(node) ? [{ name: 'logfile', path: log, readOnly: false, type: 'FileOrCreate' } as const] : []),
    ...pod.mounts,
  ];
  const manifest = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...(pod.annotations && { annotations: pod.annotations }),
      labels: { 'k8s-app': pod.name, ...pod.labels },
      name: pod.name,
      namespace: 'kube-system',
    },
    spec: {
      containers: [
        {
          ...process(node, pod, log),
          ...environment(node, pod),
          image: pod.image.reference,
          ...(pod.probes && probesOf(pod.probes)),
          name: pod.name,
          ...(pod.port === undefined
            ? {}
            : { ports: [{ containerPort: pod.port, hostPort: pod.port, name: 'https' }] }),
          resources: resources(pod.resources),
          securityContext: { ...rightsOf(pod), ...labelOf(node) },
          volumeMounts: mounts.map(({ name, path, readOnly }) => ({
            mountPath: path,
            name,
            ...(readOnly ? { readOnly } : {}),
          })),
        },
      ],
      hostNetwork: true,
      priorityClassName: pod.priorityClass,
      ...(pod.privileged ? {} : { securityContext: DEFAULT_SYSTEM_CALLS }),
      tolerations: [{ key: 'CriticalAddonsOnly', operator: 'Exists' }],
      volumes: mounts.map(({ name, path, hostPath = path, type }) => ({
        hostPath: { path: hostPath, ...(type && { type }) },
        name,
      })),
    },
  };
  return textFile(`${MANIFESTS_DIR}/${pod.name}.manifest`, stringify(manifest, { lineWidth: 0 }), {
    after: after(...pod.image.needs, ...pauseImage(node).needs, ...pod.after),
  });
}

/**
 * As kubeadm and Kubernetes's own scripts for clusters set it, except for the user: the keys of the control plane belong to root.
 */
function rightsOf({ privileged, capabilities, readOnlyRoot }: StaticPod) {
  if (privileged) return { privileged };
  return {
    ...WITHOUT_CAPABILITIES,
    ...(capabilities && { capabilities: { ...WITHOUT_CAPABILITIES.capabilities, add: capabilities } }),
    ...(readOnlyRoot && { readOnlyRootFilesystem: true }),
  };
}

/** The variables of the spec win over those of the proxy, because they come last. */
function environment(node: NodeContext, { env = [] }: StaticPod): { readonly env?: readonly unknown[] } {
  const proxy = Object.entries(proxyEnvironment(node) ?? {}).map(([name, value]) => ({ name, value }));
  return proxy.length + env.length === 0 ? {} : { env: [...proxy, ...env] };
}

/** Images that are not Kubernetes's own contain only its programs. */
const logsToFile = ({ kubernetes, cloud }: NodeContext): boolean =>
  kubernetes.klogFileFlags || !cloud.traits.bringsImages;

/** The program of a component, whose output goes to the log of its container and to a file. */
function process(node: NodeContext, { name, flags }: StaticPod, log: string) {
  const program = `/usr/local/bin/${name}`;
  if (!logsToFile(node)) return { args: flags, command: [program] };
  if (node.kubernetes.klogFileFlags) {
    return { args: [...flags, '--logtostderr=false', '--alsologtostderr', `--log-file=${log}`], command: [program] };
  }
  return { args: [`--log-file=${log}`, '--also-stdout', program, ...flags], command: ['/go-runner'] };
}

function resources({ cpuRequest, cpuLimit, memoryRequest, memoryLimit }: ComponentResources) {
  const limits = { ...(cpuLimit && { cpu: cpuLimit }), ...(memoryLimit && { memory: memoryLimit }) };
  const requests = { ...(cpuRequest && { cpu: cpuRequest }), ...(memoryRequest && { memory: memoryRequest }) };
  return { ...(Object.keys(limits).length > 0 ? { limits } : {}), requests };
}

/**
 * Where SELinux labels containers, one that reads files of the machine needs the label for that (kops
 * nodeup/pkg/model/kube_apiserver.go). A privileged one has it anyway.
 */
const labelOf = ({ spec, instanceGroup }: NodeContext): JsonObject =>
  containerdSettings(spec, instanceGroup).selinuxEnabled === true ? { seLinuxOptions: MACHINE_LABEL } : {};
