import semver from 'semver';
import type { CiliumNetworking } from '@kopsctl/spec/cluster.ts';
import type { JsonObject } from '@kopsctl/tasks/task.ts';
import type { ClusterFacts } from '../../cluster-facts.ts';
import type { AddonObject } from '../addon-object.ts';
import { byKubernetes, type ByKubernetes } from '../by-kubernetes.ts';
import { CONTROL_PLANE_ONLY } from '../control-plane-only.ts';
import { disruptionBudget } from '../disruption-budget.ts';
import { EVERY_MACHINE, fieldVariable, hostPath, spread, variables } from '../pod-parts.ts';
import { ciliumAccess } from './cilium-access.ts';
import { CILIUM_CONFIG, ciliumSettings } from './cilium-settings.ts';
import { hubbleObjects, usesHubble } from './hubble.ts';

/** What Cilium's releases were tested with (docs.cilium.io, "Kubernetes Compatibility"). */
const RELEASES: ByKubernetes<string> = [
  { since: '1.20.0', use: 'v1.14.5' },
  { since: '1.27.0', use: 'v1.16.5' },
  { since: '1.32.0', use: 'v1.17.4' },
];

const CGROUPS = '/run/cilium/cgroupv2';
const BIN_DIR = '/opt/cni/bin';
const AGENT_HEALTH_PORT = 9879;
const OPERATOR_HEALTH_PORT = 9234;

/** What all of Cilium's containers are told. */
interface Cilium {
  readonly facts: ClusterFacts;
  readonly wished: CiliumNetworking;
  readonly version: string;
  readonly apiEndpoint: readonly JsonObject[];
}

/** Cilium: networks, policies and, where asked for, Services in the kernel (kops addon networking.cilium.io). */
export function ciliumObjects(facts: ClusterFacts): readonly AddonObject[] {
  const wished = facts.spec.networking?.cilium ?? {};
  const version = wished.version ?? byKubernetes(RELEASES, facts.kubernetesVersion);
  // Where it does kube-proxy's work, nothing leads to the API's Service before it runs.
  const apiEndpoint = variables({ KUBERNETES_SERVICE_HOST: facts.apiInternalName, KUBERNETES_SERVICE_PORT: 443 });
  const cilium = { facts, wished, version, apiEndpoint };
  return [
    ...ciliumAccess(),
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: CILIUM_CONFIG, namespace: 'kube-system' },
      data: ciliumSettings(facts, wished),
    },
    agents(cilium),
    operator(cilium),
    disruptionBudget(facts.kubernetesVersion, 'cilium-operator', OPERATOR_LABELS),
    ...(usesHubble(wished) ? hubbleObjects(facts, wished, imageOf(cilium, 'hubble-relay')) : []),
  ];
}

const imageOf = ({ wished, version }: Pick<Cilium, 'wished' | 'version'>, name: string): string =>
  `${wished.registry ?? 'quay.io'}/cilium/${name}:${version}`;

/** The agent's own tool was called cilium before 1.15. */
const toolOf = ({ version }: Cilium): string =>
  semver.lt(semver.coerce(version) ?? '1.15.0', '1.15.0') ? 'cilium' : 'cilium-dbg';

const PLACE = [
  fieldVariable('K8S_NODE_NAME', 'spec.nodeName'),
  fieldVariable('CILIUM_K8S_NAMESPACE', 'metadata.namespace'),
];

const fromConfig = (name: string, key: string): JsonObject => ({
  name,
  valueFrom: { configMapKeyRef: { name: CILIUM_CONFIG, key, optional: true } },
});

const loopback = ({ facts }: Cilium): string => (facts.spec.nonMasqueradeCIDR === '::/0' ? '::1' : '127.0.0.1');

const resources = ({ wished }: Cilium): JsonObject => ({
  requests: { cpu: String(wished.cpuRequest ?? '25m'), memory: String(wished.memoryRequest ?? '128Mi') },
});

function agents(cilium: Cilium): AddonObject {
  const { wished } = cilium;
  const selected = { 'k8s-app': 'cilium', 'kubernetes.io/cluster-service': 'true' };
  const labels = { ...selected, 'app.kubernetes.io/name': 'cilium-agent', 'app.kubernetes.io/part-of': 'cilium' };
  const metrics = wished.enablePrometheusMetrics === true;
  const scrape = { 'prometheus.io/scrape': 'true', 'prometheus.io/port': String(wished.agentPrometheusPort ?? 9090) };
  const annotations = { ...(metrics ? scrape : {}), ...wished.agentPodAnnotations };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'cilium', namespace: 'kube-system', labels },
    spec: {
      selector: { matchLabels: selected },
      // A new agent interrupts its machine's network, so that a rolling update brings it (needsRollingUpdate).
      updateStrategy: { type: 'OnDelete' },
      template: {
        metadata: { labels, ...(Object.keys(annotations).length === 0 ? {} : { annotations }) },
        spec: {
          ...EVERY_MACHINE,
          serviceAccountName: 'cilium',
          hostNetwork: true,
          terminationGracePeriodSeconds: 1,
          initContainers: preparations(cilium),
          containers: [agent(cilium)],
          volumes: [
            { name: 'tmp', emptyDir: {} },
            hostPath('cilium-run', '/var/run/cilium', 'DirectoryOrCreate'),
            hostPath('bpf-maps', '/sys/fs/bpf', 'DirectoryOrCreate'),
            hostPath('hostproc', '/proc', 'Directory'),
            hostPath('cilium-cgroup', CGROUPS, 'DirectoryOrCreate'),
            hostPath('cni-path', BIN_DIR, 'DirectoryOrCreate'),
            hostPath('etc-cni-netd', '/etc/cni/net.d', 'DirectoryOrCreate'),
            hostPath('lib-modules', '/lib/modules'),
            hostPath('xtables-lock', '/run/xtables.lock', 'FileOrCreate'),
            {
              name: 'clustermesh-secrets',
              projected: { defaultMode: 0o400, sources: [{ secret: { name: 'cilium-clustermesh', optional: true } }] },
            },
            ...(usesHubble(wished)
              ? [
                  {
                    name: 'hubble-tls',
                    projected: {
                      defaultMode: 0o400,
                      sources: [{ secret: { name: 'hubble-server-certs', optional: true } }],
                    },
                  },
                ]
              : []),
          ],
        },
      },
    },
  };
}

function agent(cilium: Cilium): JsonObject {
  const { wished } = cilium;
  const hubble = usesHubble(wished);
  const probe = {
    httpGet: {
      host: loopback(cilium),
      path: '/healthz',
      port: AGENT_HEALTH_PORT,
      scheme: 'HTTP',
      httpHeaders: [{ name: 'brief', value: 'true' }],
    },
    successThreshold: 1,
  };
  const ports = [
    ...(hubble ? [{ containerPort: 4244, hostPort: 4244, name: 'peer-service', protocol: 'TCP' }] : []),
    ...(hubble && (wished.hubble?.metrics ?? []).length > 0
      ? [{ containerPort: 9091, hostPort: 9091, name: 'hubble-metrics', protocol: 'TCP' }]
      : []),
    ...(wished.enablePrometheusMetrics === true
      ? [{ containerPort: wished.agentPrometheusPort ?? 9090, name: 'prometheus', protocol: 'TCP' }]
      : []),
  ];
  return {
    name: 'cilium-agent',
    image: imageOf(cilium, 'cilium'),
    imagePullPolicy: 'IfNotPresent',
    command: ['cilium-agent'],
    args: ['--config-dir=/tmp/cilium/config-map'],
    env: [
      ...PLACE,
      fromConfig('CILIUM_CNI_CHAINING_MODE', 'cni-chaining-mode'),
      fromConfig('CILIUM_CUSTOM_CNI_CONF', 'custom-cni-conf'),
      ...variables({
        CILIUM_CLUSTERMESH_CONFIG: '/var/lib/cilium/clustermesh/',
        CILIUM_ENABLE_POLICY: wished.enablePolicy,
      }),
      ...cilium.apiEndpoint,
    ],
    startupProbe: { ...probe, failureThreshold: 105, periodSeconds: 2 },
    livenessProbe: { ...probe, failureThreshold: 10, periodSeconds: 30, timeoutSeconds: 5 },
    readinessProbe: { ...probe, failureThreshold: 3, periodSeconds: 30, timeoutSeconds: 5 },
    lifecycle: { preStop: { exec: { command: ['/cni-uninstall.sh'] } } },
    ...(ports.length === 0 ? {} : { ports }),
    resources: resources(cilium),
    securityContext: { privileged: true },
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [
      { mountPath: '/sys/fs/bpf', mountPropagation: 'Bidirectional', name: 'bpf-maps' },
      { mountPath: CGROUPS, name: 'cilium-cgroup' },
      { mountPath: '/var/run/cilium', name: 'cilium-run' },
      { mountPath: '/host/etc/cni/net.d', name: 'etc-cni-netd' },
      { mountPath: '/var/lib/cilium/clustermesh', name: 'clustermesh-secrets', readOnly: true },
      { mountPath: '/lib/modules', name: 'lib-modules', readOnly: true },
      { mountPath: '/run/xtables.lock', name: 'xtables-lock' },
      { mountPath: '/tmp', name: 'tmp' },
      ...(hubble ? [{ mountPath: '/var/lib/cilium/tls/hubble', name: 'hubble-tls', readOnly: true }] : []),
    ],
  };
}

/** What has to be true of a machine before the agent runs on it, one container for each. */
function preparations(cilium: Cilium): readonly JsonObject[] {
  const container = (name: string, rest: JsonObject): JsonObject => ({
    name,
    image: imageOf(cilium, 'cilium'),
    imagePullPolicy: 'IfNotPresent',
    terminationMessagePolicy: 'FallbackToLogsOnError',
    ...rest,
  });
  // The host may lack a shell and mount(8): the program is copied there and run in the host's own namespaces.
  const onHost = (program: string, namespaces: string, argument = '') => ({
    command: [
      'sh',
      '-ec',
      [
        `cp /usr/bin/${program} /hostbin/${program}`,
        `nsenter ${namespaces} "${BIN_DIR}/${program}"${argument}`,
        `rm /hostbin/${program}`,
      ].join('\n'),
    ],
    securityContext: { privileged: true },
    volumeMounts: [
      { mountPath: '/hostproc', name: 'hostproc' },
      { mountPath: '/hostbin', name: 'cni-path' },
    ],
  });
  return [
    container('config', {
      command: [toolOf(cilium), 'build-config'],
      env: [...PLACE, ...cilium.apiEndpoint],
      volumeMounts: [{ mountPath: '/tmp', name: 'tmp' }],
    }),
    container(
      'mount-cgroup',
      onHost('cilium-mount', '--cgroup=/hostproc/1/ns/cgroup --mount=/hostproc/1/ns/mnt', ` ${CGROUPS}`),
    ),
    container('apply-sysctl-overwrites', onHost('cilium-sysctlfix', '--mount=/hostproc/1/ns/mnt')),
    container('mount-bpf-fs', {
      // systemd mounts it from version 238 on; older ones leave it to others.
      command: ['sh', '-ec', 'mount | grep -q "/sys/fs/bpf type bpf" || mount -t bpf bpf /sys/fs/bpf'],
      securityContext: { privileged: true },
      volumeMounts: [{ mountPath: '/sys/fs/bpf', mountPropagation: 'Bidirectional', name: 'bpf-maps' }],
    }),
    container('clean-cilium-state', {
      command: ['/init-container.sh'],
      env: [
        fromConfig('CILIUM_ALL_STATE', 'clean-cilium-state'),
        fromConfig('CILIUM_BPF_STATE', 'clean-cilium-bpf-state'),
        ...cilium.apiEndpoint,
      ],
      securityContext: { privileged: true },
      volumeMounts: [
        { mountPath: '/sys/fs/bpf', name: 'bpf-maps' },
        { mountPath: CGROUPS, mountPropagation: 'HostToContainer', name: 'cilium-cgroup' },
        { mountPath: '/var/run/cilium', name: 'cilium-run' },
      ],
    }),
    container('install-cni-binaries', {
      command: ['/install-plugin.sh'],
      resources: { requests: { cpu: '100m', memory: '10Mi' } },
      securityContext: { capabilities: { drop: ['ALL'] } },
      volumeMounts: [{ mountPath: '/host/opt/cni/bin', name: 'cni-path' }],
    }),
  ];
}

const OPERATOR_LABELS = { 'io.cilium/app': 'operator', name: 'cilium-operator' };

/** What Cilium does once for the whole cluster: addresses, identities, its own kinds. */
function operator(cilium: Cilium): AddonObject {
  const { wished } = cilium;
  const name = 'cilium-operator';
  const labels = { ...OPERATOR_LABELS, 'app.kubernetes.io/name': name, 'app.kubernetes.io/part-of': 'cilium' };
  const annotations = wished.operatorPodAnnotations;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'kube-system', labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: OPERATOR_LABELS },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
      template: {
        metadata: { labels, ...(annotations === undefined ? {} : { annotations }) },
        spec: {
          affinity: CONTROL_PLANE_ONLY,
          hostNetwork: true,
          priorityClassName: 'system-cluster-critical',
          serviceAccountName: name,
          tolerations: [{ operator: 'Exists' }],
          topologySpreadConstraints: spread(OPERATOR_LABELS),
          containers: [
            {
              name,
              image: imageOf(cilium, 'operator'),
              imagePullPolicy: 'IfNotPresent',
              command: [name],
              args: ['--config-dir=/tmp/cilium/config-map', '--debug=$(CILIUM_DEBUG)'],
              env: [...PLACE, fromConfig('CILIUM_DEBUG', 'debug'), ...cilium.apiEndpoint],
              livenessProbe: {
                httpGet: { host: loopback(cilium), path: '/healthz', port: OPERATOR_HEALTH_PORT, scheme: 'HTTP' },
                initialDelaySeconds: 60,
                periodSeconds: 10,
                timeoutSeconds: 3,
              },
              ...(wished.enablePrometheusMetrics === true
                ? { ports: [{ containerPort: 6942, hostPort: 6942, name: 'prometheus', protocol: 'TCP' }] }
                : {}),
              resources: resources(cilium),
              terminationMessagePolicy: 'FallbackToLogsOnError',
              volumeMounts: [{ mountPath: '/tmp/cilium/config-map', name: 'cilium-config-path', readOnly: true }],
            },
          ],
          volumes: [{ name: 'cilium-config-path', configMap: { name: CILIUM_CONFIG } }],
        },
      },
    },
  };
}
