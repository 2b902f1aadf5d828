import type { KubeAPIServerConfig } from '@kopsctl/spec/cluster.ts';
import { RETIRED_SETTINGS } from '@kopsctl/spec/retired-settings.ts';
import { completedValue } from '../completed-value.ts';
import { isIpv6Only, machinesNames, publishesNames } from '../discovery.ts';
import { taskId, type Task } from '@kopsctl/tasks/task.ts';
import { stringify } from 'yaml';
import { etcdClusterAt, etcdMemberHost } from '../etcd-clusters.ts';
import { renderFlags, settingsOf, type FlagRules, type Settings } from '../flags.ts';
import { certificateId } from './certificates.ts';
import { kubernetesImage } from './images.ts';
import { encryptionAtRest } from './encryption-config.ts';
import type { NodeContext } from './node-context.ts';
import { fileId, textFile } from './node-task.ts';
import { API_SERVER_DIR, AUTHENTICATION_CONFIG, CA_FILE, folderOf, KUBELET_AUTHORITIES } from './paths.ts';
import type { PodProbes } from './pod-probes.ts';
import { type HostMount, hostsMount, staticPod } from './static-pod.ts';
import { SYSTEM_AUTHORITIES } from './system-authorities.ts';

/** The public half of the key that signs the tokens of service accounts. */
const OWN_SERVICE_ACCOUNT_KEY = `${API_SERVER_DIR}/service-account.pub`;

/** Fields of kops's settings whose flag has another name, or that are not flags. */
const RULES: FlagRules = {
  names: {
    ...Object.fromEntries(RETIRED_SETTINGS.kubeAPIServer.map((field) => [field, ''])),
    // They follow the issuer that signs.
    additionalServiceAccountIssuers: '',
    // API servers find each other by leases in etcd, and the flag, deprecated since 1.24, changes nothing (kubernetes#108062).
    apiServerCount: '',
    // Completion adds them to the enabled ones.
    appendAdmissionPlugins: '',
    auditLogMaxAge: 'audit-log-maxage',
    auditLogMaxBackups: 'audit-log-maxbackup',
    auditLogMaxSize: 'audit-log-maxsize',
    authenticationConfigFile: 'authentication-config',
    compactionInterval: 'etcd-compaction-interval',
    etcdCaFile: 'etcd-cafile',
    etcdCertFile: 'etcd-certfile',
    etcdKeyFile: 'etcd-keyfile',
    requestheaderExtraHeaderPrefixes: 'requestheader-extra-headers-prefix',
    serviceAccountJWKSURI: 'service-account-jwks-uri',
  },
  repeated: ['oidc-required-claim', 'service-account-issuer', 'service-account-key-file'],
};

const LIVE = '/livez';
const READY = '/readyz';

/** Requests without credentials are answered there and nowhere else. */
const HEALTH_CHECKS_FOR_ALL = {
  apiVersion: 'apiserver.config.k8s.io/v1beta1',
  kind: 'AuthenticationConfiguration',
  anonymous: { enabled: true, conditions: [{ path: LIVE }, { path: READY }] },
};

/**
 * kubelet has no credentials for its probes. Where the API server would answer them with 401, they only ask whether it
 * takes connections (docs/decisions/0007-probes-of-the-api-server.md).
 */
function apiServerProbes(config: KubeAPIServerConfig, port: number): PodProbes {
  const isAnswered = config.anonymousAuth === true || config.authenticationConfigFile === AUTHENTICATION_CONFIG;
  if (!isAnswered) return { liveness: { port, initialDelaySeconds: 45 } };
  // Killing an API server does not bring its etcd back, and it would then wait in back-off once etcd is there.
  const live = { port, path: `${LIVE}?exclude=etcd` };
  return {
    // Five minutes, as in kops, but a start is noticed at once.
    startup: { ...live, periodSeconds: 1, failureThreshold: 300 },
    readiness: { port, path: READY, periodSeconds: 1, failureThreshold: 3 },
    liveness: { ...live, periodSeconds: 10, failureThreshold: 8 },
  };
}

/** Annotations by which external-dns or dns-controller publish the names of the API, where no load balancer has them. */
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
  const securePort = completedValue('spec.kubeAPIServer.securePort', config.securePort);
  const isOwnFile = config.authenticationConfigFile === AUTHENTICATION_CONFIG;
  const encryption = encryptionAtRest(node);
  const users = node.cloud.usersPart?.(node.spec);
  return [
    ...image.tasks,
    ...encryption.tasks,
    ...(isOwnFile ? [textFile(AUTHENTICATION_CONFIG, stringify(HEALTH_CHECKS_FOR_ALL))] : []),
    ...(users?.tasks ?? []),
    staticPod(node, {
      name: 'kube-apiserver',
      image,
      flags: renderFlags(settings, RULES),
      resources: config,
      priorityClass: 'system-cluster-critical',
      annotations: { ...dnsAnnotations(node), ...encryption.annotations },
      ...(config.env && { env: config.env }),
      port: securePort,
      // Ports below 1024.
      capabilities: ['NET_BIND_SERVICE'],
      probes: apiServerProbes(config, securePort),
      mounts: [
        ...SYSTEM_AUTHORITIES,
        { name: 'usrsharecacertificates', path: '/usr/share/ca-certificates', readOnly: true },
        { name: 'kubernetesca', path: CA_FILE, readOnly: true, type: 'File' },
        { name: 'srvkapi', path: API_SERVER_DIR, readOnly: true },
        // On the control plane etcd is on the machine itself.
        ...auditLogMount(config),
        ...namedFileMounts(config),
        ...(node.isControlPlane ? [] : hostsMount(node)),
      ],
      after: [
        ...encryption.tasks.map(taskId),
        ...[CA_FILE, KUBELET_AUTHORITIES, ...(isOwnFile ? [AUTHENTICATION_CONFIG] : [])].map(fileId),
        ...(users?.awaited ?? []),
        ...['kube-apiserver', 'kubelet-api', 'apiserver-aggregator', 'etcd-client'].map(certificateId),
        ...['apiserver-aggregator-ca.crt', 'etcd-ca.crt', 'service-account.pub', 'service-account.key'].map((file) =>
          fileId(`${API_SERVER_DIR}/${file}`),
        ),
      ],
    }),
  ];
}

/** The folder of the audit log, because the API server renames the file when it is full. */
function auditLogMount({ auditLogPath }: KubeAPIServerConfig): readonly HostMount[] {
  if (auditLogPath === undefined || auditLogPath === '-') return [];
  const path = folderOf(auditLogPath);
  return [{ name: 'auditlogpathdir', path, readOnly: false, type: 'DirectoryOrCreate' }];
}

const MOUNTED = [...SYSTEM_AUTHORITIES.map(({ path }) => path), '/usr/share/ca-certificates', API_SERVER_DIR];

/** The files that settings name, where the pod does not have them already. */
const namedFileMounts = (config: KubeAPIServerConfig): readonly HostMount[] =>
  Object.entries(config).flatMap(([field, path]) => {
    const [, name] = /^(.*?)(?:Config)?File$/.exec(field) ?? [];
    if (name === undefined || typeof path !== 'string') return [];
    if (path === CA_FILE || MOUNTED.some((folder) => path.startsWith(`${folder}/`))) return [];
    return [{ name: name.toLowerCase(), path, readOnly: true, type: 'File' }];
  });

function apiServerSettings(node: NodeContext, config: KubeAPIServerConfig): Settings {
  const { insecurePort, ...wished } = settingsOf(config);
  return {
    // It would look for an IPv6 default route in the kernel, which it does not find everywhere (kubernetes#111671).
    ...(isIpv6Only(node) && { advertiseAddress: '@{address}' }),
    ...wished,
    ...(node.kubernetes.insecurePortFlag ? { insecurePort } : {}),
    // Tokens are signed with the cluster's own key, whichever further keys a person trusts.
    serviceAccountKeyFile: [...new Set([...(config.serviceAccountKeyFile ?? []), OWN_SERVICE_ACCOUNT_KEY])],
    // It signs in the name of the first issuer, and does not start with one twice.
    serviceAccountIssuer: distinctIssuers(config),
    etcdServers: config.etcdServers?.flatMap((server) => reachable(node, server)),
    etcdServersOverrides: config.etcdServersOverrides?.map((override) => {
      const [resources = '', servers = ''] = override.split('#');
      return `${resources}#${servers
        .split(';')
        .flatMap((server) => reachable(node, server))
        .join(';')}`;
    }),
  };
}

function distinctIssuers(config: KubeAPIServerConfig): readonly string[] {
  const issuers = [config.serviceAccountIssuer ?? '', ...(config.additionalServiceAccountIssuers ?? [])];
  return [...new Set(issuers)].filter((issuer) => issuer !== '');
}

/** A control plane asks the etcd members on itself; an API server on another machine asks every member. */
function reachable(node: NodeContext, server: string): readonly string[] {
  const [, port] = /^https:\/\/127\.0\.0\.1:(\d+)$/.exec(server) ?? [];
  if (node.isControlPlane || port === undefined) return [server];
  const etcd = node.etcdClusters.find(({ name }) => name === etcdClusterAt(Number(port)));
  if (etcd?.name === undefined) return [server];
  const host = etcdMemberHost(etcd.name, node.clusterName);
  return (etcd.etcdMembers ?? []).map((member) => `https://${host.replace('<member>', member.name ?? '')}:${port}`);
}
