import type { KubeAPIServerConfig } from '@kopsctl/spec/cluster.ts';
import { machinesNames, publishesNames } from '../discovery.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { etcdMemberHost, etcdPorts } from '../etcd-clusters.ts';
import { renderFlags, settingsOf, type FlagRules, type Settings } from '../flags.ts';
import { certificateId } from './certificates.ts';
import { kubernetesImage } from './images.ts';
import type { NodeContext } from './node-context.ts';
import { fileId } from './node-task.ts';
import { API_SERVER_DIR, CA_FILE } from './paths.ts';
import { hostsMount, staticPod } from './static-pod.ts';

/** Settings that kops still accepts and API servers from 1.20 on know no longer: with one of them they would not start. */
const GONE = [
  'address',
  'auditDynamicConfiguration',
  'authorizationRbacSuperUser',
  'basicAuthFile',
  'disableBasicAuth',
  'etcdQuorumRead',
  'experimentalEncryptionProviderConfig',
  'insecureBindAddress',
  'storageInitializationTimeout',
];

/** Fields of kops's settings whose flag has another name, or that are no flag. */
const RULES: FlagRules = {
  names: {
    ...Object.fromEntries(GONE.map((field) => [field, ''])),
    apiServerCount: 'apiserver-count',
    appendAdmissionPlugins: '',
    auditLogMaxAge: 'audit-log-maxage',
    auditLogMaxBackups: 'audit-log-maxbackup',
    auditLogMaxSize: 'audit-log-maxsize',
    authenticationConfigFile: 'authentication-config',
    additionalServiceAccountIssuers: 'service-account-issuer',
    compactionInterval: 'etcd-compaction-interval',
    etcdCaFile: 'etcd-cafile',
    etcdCertFile: 'etcd-certfile',
    etcdKeyFile: 'etcd-keyfile',
    requestheaderExtraHeaderPrefixes: 'requestheader-extra-headers-prefix',
    serviceAccountJWKSURI: 'service-account-jwks-uri',
  },
  repeated: ['service-account-issuer', 'service-account-key-file'],
};

/** What tells external-dns, or kops's own controller, the names that are not a load balancer's. */
function dnsAnnotations(node: NodeContext): Readonly<Record<string, string>> {
  if (!publishesNames(node)) return {};
  const { apiPublicName, apiInternalName } = machinesNames(node);
  return {
    ...(apiPublicName !== undefined && { 'dns.alpha.kubernetes.io/external': apiPublicName }),
    ...(apiInternalName !== undefined && { 'dns.alpha.kubernetes.io/internal': apiInternalName }),
  };
}

/** The API server's static pod. */
export function kubeApiserver(node: NodeContext): readonly Task[] {
  const config = node.spec.kubeAPIServer ?? {};
  const image = kubernetesImage(node, 'kube-apiserver');
  const settings = apiServerSettings(node, config);
  const securePort = config.securePort ?? 443;
  return [
    ...image.tasks,
    staticPod(node, {
      name: 'kube-apiserver',
      image,
      flags: renderFlags(settings, RULES),
      resources: { cpuRequest: '150m', ...config },
      priorityClass: 'system-cluster-critical',
      annotations: dnsAnnotations(node),
      ...(config.env && { env: config.env }),
      port: securePort,
      // A probe has no credentials: without anonymous requests /healthz would answer 401, and kubelet would kill a
      // healthy server (kops puts a sidecar with a certificate in between).
      liveness: {
        ...(settings['anonymousAuth'] === true ? { path: '/healthz' } : {}),
        port: securePort,
        scheme: 'HTTPS',
        initialDelaySeconds: 45,
      },
      mounts: [
        { name: 'etcssl', path: '/etc/ssl', readOnly: true },
        { name: 'usrsharecacertificates', path: '/usr/share/ca-certificates', readOnly: true },
        { name: 'kubernetesca', path: CA_FILE, readOnly: true, type: 'File' },
        { name: 'srvkapi', path: API_SERVER_DIR, readOnly: true },
        // On the control plane etcd is on the machine itself.
        ...(node.isControlPlane ? [] : hostsMount(node)),
      ],
      after: [
        fileId(CA_FILE),
        ...['kube-apiserver', 'kubelet-api', 'apiserver-aggregator', 'etcd-client'].map(certificateId),
        ...['apiserver-aggregator-ca.crt', 'etcd-ca.crt', 'service-account.pub', 'service-account.key'].map((file) =>
          fileId(`${API_SERVER_DIR}/${file}`),
        ),
      ],
    }),
  ];
}

/** The spec's settings (completed as kops does), over defaults, under what follows from this plan's own files. */
function apiServerSettings(node: NodeContext, config: KubeAPIServerConfig): Settings {
  const { insecurePort, ...wished } = settingsOf(config);
  const issuer = `https://${node.apiInternalName}`;
  const plugins = [...(config.enableAdmissionPlugins ?? ADMISSION_PLUGINS), ...(config.appendAdmissionPlugins ?? [])];
  return {
    allowPrivileged: true,
    anonymousAuth: false,
    apiAudiences: ['kubernetes.svc.default'],
    apiServerCount: 1,
    authorizationMode: 'Node,RBAC',
    bindAddress: '0.0.0.0',
    kubeletPreferredAddressTypes: ['InternalIP', 'Hostname', 'ExternalIP'],
    logLevel: 2,
    requestheaderAllowedNames: ['aggregator'],
    requestheaderExtraHeaderPrefixes: ['X-Remote-Extra-'],
    requestheaderGroupHeaders: ['X-Remote-Group'],
    requestheaderUsernameHeaders: ['X-Remote-User'],
    securePort: 443,
    serviceAccountIssuer: issuer,
    serviceAccountJWKSURI: `${issuer}/openid/v1/jwks`,
    storageBackend: 'etcd3',
    ...wished,
    // New machines ask for their certificates with a bootstrap token that protokube keeps in the cluster.
    enableBootstrapTokenAuth: true,
    ...(node.kubernetes.insecurePortFlag ? { insecurePort: insecurePort ?? 0 } : {}),
    ...(node.cloud === 'local' ? { cloudProvider: undefined } : {}),
    enableAdmissionPlugins: [...new Set(plugins)],
    serviceClusterIPRange: node.serviceRange,
    ...ownFiles(node),
  };
}

/** kops 1.20 for Kubernetes 1.20, less PersistentVolumeLabel, which serves in-tree clouds alone. */
const ADMISSION_PLUGINS = [
  'NamespaceLifecycle',
  'LimitRanger',
  'ServiceAccount',
  'DefaultStorageClass',
  'DefaultTolerationSeconds',
  'MutatingAdmissionWebhook',
  'ValidatingAdmissionWebhook',
  'NodeRestriction',
  'ResourceQuota',
];

function ownFiles(node: NodeContext): Settings {
  const events = node.etcdClusters.some(({ name }) => name === 'events');
  return {
    clientCAFile: CA_FILE,
    etcdCaFile: `${API_SERVER_DIR}/etcd-ca.crt`,
    etcdCertFile: `${API_SERVER_DIR}/etcd-client.crt`,
    etcdKeyFile: `${API_SERVER_DIR}/etcd-client.key`,
    etcdServers: etcdServers(node, 'main'),
    etcdServersOverrides: events ? [`/events#${etcdServers(node, 'events').join(';')}`] : undefined,
    kubeletClientCertificate: `${API_SERVER_DIR}/kubelet-api.crt`,
    kubeletClientKey: `${API_SERVER_DIR}/kubelet-api.key`,
    proxyClientCertFile: `${API_SERVER_DIR}/apiserver-aggregator.crt`,
    proxyClientKeyFile: `${API_SERVER_DIR}/apiserver-aggregator.key`,
    requestheaderClientCAFile: `${API_SERVER_DIR}/apiserver-aggregator-ca.crt`,
    serviceAccountKeyFile: [`${API_SERVER_DIR}/service-account.pub`],
    serviceAccountSigningKeyFile: `${API_SERVER_DIR}/service-account.key`,
    tlsCertFile: `${API_SERVER_DIR}/server.crt`,
    tlsPrivateKeyFile: `${API_SERVER_DIR}/server.key`,
  };
}

/** A control-plane machine asks its own member; other machines ask every one. */
function etcdServers(node: NodeContext, name: string): readonly string[] {
  const { client } = etcdPorts(name);
  if (node.isControlPlane) return [`https://127.0.0.1:${client}`];
  const members = node.etcdClusters.find((cluster) => cluster.name === name)?.etcdMembers ?? [];
  const host = etcdMemberHost(name, node.clusterName);
  return members.map((member) => `https://${host.replace('<member>', member.name ?? '')}:${client}`);
}
