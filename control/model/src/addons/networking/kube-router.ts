import { nodePortsOf } from '@kopsctl/spec/node-ports.ts';
import type { JsonObject } from '@kopsctl/tasks/task.ts';
import type { ClusterFacts } from '../../cluster-facts.ts';
import { containerdSocket } from '../../runtime/containerd-settings.ts';
import { DEFAULT_SYSTEM_CALLS, UNPRIVILEGED } from '../../pod-security.ts';
import { accountWith } from '../access.ts';
import type { AddonObject } from '../addon-object.ts';
import { byKubernetes, type ByKubernetes } from '../by-kubernetes.ts';
import { EVERY_MACHINE, fieldVariable, hostPath, variables } from '../pod-parts.ts';

const NAME = 'kube-router';
const CONFIG = 'kube-router-cfg';
const LABELS = { 'k8s-app': NAME, tier: 'node' };
const CNI_DIR = '/etc/cni/net.d';
const CNI_FILE = `${CNI_DIR}/10-kuberouter.conflist`;
const READ = ['get', 'list', 'watch'];
/** kops's port for its metrics. */
const METRICS_PORT = 12_013;
/** Its default. */
const HEALTH_PORT = 20_244;

interface Release {
  readonly version: string;
  /** Since 2.8 it may refuse addresses that Services get from elsewhere. */
  readonly judgesAddresses: boolean;
}

/** From version 2 on it reads EndpointSlices in discovery.k8s.io/v1, which Kubernetes has since 1.21. */
const RELEASES: ByKubernetes<Release> = [
  { since: '1.20.0', use: { version: 'v1.5.1', judgesAddresses: false } },
  { since: '1.21.0', use: { version: 'v2.10.0', judgesAddresses: true } },
];

/** Pods are on a bridge. kube-router adds the range of the Node to the file on its machine. */
const CNI_CONFIG = {
  cniVersion: '0.3.0',
  name: 'kubernetes',
  plugins: [
    {
      type: 'bridge',
      name: 'kubernetes',
      bridge: 'kube-bridge',
      isDefaultGateway: true,
      hairpinMode: true,
      ipam: { type: 'host-local' },
    },
    { type: 'portmap', capabilities: { portMappings: true, snat: true } },
  ],
};

/**
 * kube-router: routes between machines by BGP, policies, and Services by IPVS in the place of kube-proxy (kops addon
 * networking.kuberouter). kops gives it a certificate on each machine; here it has the token of its pod.
 */
export function kubeRouterObjects(facts: ClusterFacts): readonly AddonObject[] {
  return [
    ...accountWith(NAME, NAME, [
      { group: '', resources: ['endpoints', 'namespaces', 'nodes', 'pods', 'services'], verbs: READ },
      { group: 'discovery.k8s.io', resources: ['endpointslices'], verbs: READ },
      { group: 'networking.k8s.io', resources: ['networkpolicies'], verbs: READ },
    ]),
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: CONFIG, namespace: 'kube-system', labels: LABELS },
      data: { 'cni-conf.json': JSON.stringify(CNI_CONFIG) },
    },
    daemonSet(facts),
  ];
}

function daemonSet(facts: ClusterFacts): AddonObject {
  const release = byKubernetes(RELEASES, facts.kubernetesVersion);
  const image = `docker.io/cloudnativelabs/kube-router:${release.version}`;
  const cni = { mountPath: CNI_DIR, name: 'cni-conf-dir' };
  const runtime = runtimeSocket(facts);
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: NAME, namespace: 'kube-system', labels: LABELS },
    spec: {
      selector: { matchLabels: LABELS },
      template: {
        metadata: { labels: LABELS },
        spec: {
          ...EVERY_MACHINE,
          securityContext: DEFAULT_SYSTEM_CALLS,
          serviceAccountName: NAME,
          hostNetwork: true,
          // For Services with direct server return it makes a tunnel in the network namespace of the pod that answers.
          hostPID: true,
          initContainers: [installer(image)],
          containers: [
            {
              name: NAME,
              image,
              args: argumentsOf(facts, release),
              env: [
                fieldVariable('NODE_NAME', 'spec.nodeName'),
                fieldVariable('POD_NAME', 'metadata.name'),
                ...variables({
                  KUBE_ROUTER_CNI_CONF_FILE: CNI_FILE,
                  // Nothing else makes the Service of the API reachable.
                  KUBERNETES_SERVICE_HOST: facts.apiInternalName,
                  KUBERNETES_SERVICE_PORT: 443,
                }),
              ],
              livenessProbe: {
                httpGet: { path: '/healthz', port: HEALTH_PORT },
                initialDelaySeconds: 10,
                periodSeconds: 3,
              },
              resources: { requests: { cpu: '250m', memory: '250Mi' } },
              securityContext: { privileged: true },
              volumeMounts: [
                cni,
                { mountPath: '/lib/modules', name: 'lib-modules', readOnly: true },
                { mountPath: '/run/xtables.lock', name: 'xtables-lock' },
                ...(runtime === undefined ? [] : [{ mountPath: runtime, name: 'runtime', readOnly: true }]),
              ],
            },
          ],
          volumes: [
            hostPath('cni-conf-dir', CNI_DIR, 'DirectoryOrCreate'),
            hostPath('lib-modules', '/lib/modules'),
            hostPath('xtables-lock', '/run/xtables.lock', 'FileOrCreate'),
            ...(runtime === undefined ? [] : [hostPath('runtime', runtime, 'Socket')]),
            { name: CONFIG, configMap: { name: CONFIG } },
          ],
        },
      },
    },
  };
}

/** A later start finds the file with the range of the Node in it, and leaves it. */
const installer = (image: string): JsonObject => ({
  name: 'install-cni',
  image,
  command: [
    'sh',
    '-ec',
    `[ -f ${CNI_FILE} ] || { cp /etc/kube-router/cni-conf.json ${CNI_DIR}/.kuberouter && mv ${CNI_DIR}/.kuberouter ${CNI_FILE}; }`,
  ],
  securityContext: UNPRIVILEGED,
  volumeMounts: [
    { mountPath: CNI_DIR, name: 'cni-conf-dir' },
    { mountPath: '/etc/kube-router', name: CONFIG },
  ],
});

/** Where it asks for the processes of a pod. Docker has no such socket. */
const runtimeSocket = ({ runtime, spec }: ClusterFacts): string | undefined =>
  runtime === 'containerd' ? containerdSocket(spec.containerd ?? {}) : undefined;

/** The flags in kube-router's user guide. */
function argumentsOf(facts: ClusterFacts, { judgesAddresses }: Release): readonly string[] {
  const { kubeAPIServer, networking } = facts.spec;
  const ports = kubeAPIServer?.serviceNodePortRange;
  const runtime = runtimeSocket(facts);
  const nftables = networking?.kuberouter?.useNFTablesForNetpol;
  return [
    '--run-router=true',
    '--run-firewall=true',
    '--run-service-proxy=true',
    // Routes stay while it is replaced.
    '--bgp-graceful-restart=true',
    // A pod reaches itself through its Service, as with kube-proxy.
    '--hairpin-mode=true',
    `--metrics-port=${METRICS_PORT}`,
    `--service-cluster-ip-range=${facts.serviceRange}`,
    // It knows only this form of a range.
    ...(ports === undefined ? [] : [`--service-node-port-range=${nodePortsOf(facts.spec)}`]),
    ...(runtime === undefined ? [] : [`--runtime-endpoint=unix://${runtime}`]),
    ...(nftables === undefined ? [] : [`--use-nftables-for-netpol=${nftables}`]),
    // Without ranges to compare with, it would refuse every address of a load balancer. kube-proxy does not judge them either.
    ...(judgesAddresses ? ['--strict-external-ip-validation=false'] : []),
  ];
}
