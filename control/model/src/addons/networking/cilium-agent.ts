import semver from 'semver';
import type { JsonObject } from '@kopsctl/tasks/task.ts';
import type { AddonObject } from '../addon-object.ts';
import { completedValue } from '../../completed-value.ts';
import { EVERY_MACHINE, hostPath, variables } from '../pod-parts.ts';
import { ETCD_MOUNTS, etcdVolumes, usesEtcd } from './cilium-etcd.ts';
import { type Cilium, fromConfig, imageOf, loopback, PLACE, resources } from './cilium-parts.ts';
import { CILIUM_CONFIG } from './cilium-settings.ts';
import { usesHubble } from './hubble.ts';
import { IPSEC_DIR, IPSEC_SECRET, usesIpsec } from './ipsec.ts';
import { DEFAULT_SYSTEM_CALLS, WITHOUT_CAPABILITIES } from '../../pod-security.ts';

const CGROUPS = '/run/cilium/cgroupv2';
const BIN_DIR = '/opt/cni/bin';
const AGENT_HEALTH_PORT = 9879;

/** The debug tool was called cilium before 1.15. */
const toolOf = ({ version }: Cilium): string =>
  semver.lt(semver.coerce(version) ?? '1.15.0', '1.15.0') ? 'cilium' : 'cilium-dbg';

/** The agent, which runs on every machine. */
export function ciliumAgent(cilium: Cilium): AddonObject {
  const { facts, wished } = cilium;
  const selected = { 'k8s-app': 'cilium', 'kubernetes.io/cluster-service': 'true' };
  const labels = { ...selected, 'app.kubernetes.io/name': 'cilium-agent', 'app.kubernetes.io/part-of': 'cilium' };
  const metrics = wished.enablePrometheusMetrics === true;
  const scrape = { 'prometheus.io/scrape': 'true', 'prometheus.io/port': String(wished.agentPrometheusPort) };
  const annotations = { ...(metrics ? scrape : {}), ...wished.agentPodAnnotations };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'cilium', namespace: 'kube-system', labels },
    spec: {
      selector: { matchLabels: selected },
      // Replacing an agent interrupts the network of its machine, so it is left to a rolling update (needsRollingUpdate).
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
            ...(usesEtcd(wished) ? etcdVolumes(CILIUM_CONFIG) : []),
            ...(usesIpsec(facts)
              ? [{ name: 'ipsec-keys', secret: { secretName: IPSEC_SECRET, defaultMode: 0o400 } }]
              : []),
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
      ? [{ containerPort: 9965, hostPort: 9965, name: 'hubble-metrics', protocol: 'TCP' }]
      : []),
    ...(wished.enablePrometheusMetrics === true
      ? [
          {
            containerPort: completedValue('spec.networking.cilium.agentPrometheusPort', wished.agentPrometheusPort),
            name: 'prometheus',
            protocol: 'TCP',
          },
        ]
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
      ...(usesEtcd(wished) ? ETCD_MOUNTS : []),
      ...(usesIpsec(cilium.facts) ? [{ mountPath: IPSEC_DIR, name: 'ipsec-keys', readOnly: true }] : []),
      ...(hubble ? [{ mountPath: '/var/lib/cilium/tls/hubble', name: 'hubble-tls', readOnly: true }] : []),
    ],
  };
}

/** Init containers that prepare the machine. */
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
      securityContext: { ...WITHOUT_CAPABILITIES, ...DEFAULT_SYSTEM_CALLS },
      volumeMounts: [{ mountPath: '/tmp', name: 'tmp' }],
    }),
    container(
      'mount-cgroup',
      onHost('cilium-mount', '--cgroup=/hostproc/1/ns/cgroup --mount=/hostproc/1/ns/mnt', ` ${CGROUPS}`),
    ),
    container('apply-sysctl-overwrites', onHost('cilium-sysctlfix', '--mount=/hostproc/1/ns/mnt')),
    container('mount-bpf-fs', {
      // systemd mounts it from version 238 on.
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
      securityContext: { ...WITHOUT_CAPABILITIES, ...DEFAULT_SYSTEM_CALLS },
      volumeMounts: [{ mountPath: '/host/opt/cni/bin', name: 'cni-path' }],
    }),
  ];
}
