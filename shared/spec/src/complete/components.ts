import type { ClusterSpec } from '../cluster.ts';
import { discoveryServiceOf } from '../discovery-service.ts';
import { mirroredImage } from '../mirrored-image.ts';
import {
  API_SERVER_DIR,
  AUTHENTICATION_CONFIG,
  CA_FILE,
  CONTROLLER_MANAGER_DIR,
  CONTROLLER_MANAGER_PKI_DIR,
  ENCRYPTION_CONFIG,
  KUBELET_AUTHORITIES,
  KUBELET_SERVER,
  SCHEDULER_DIR,
  SCHEDULER_PKI_DIR,
} from '../node-paths.ts';
import { bareVersion, isControlPlane, isIpv6Alone, usesCloudRoutes } from '../names.ts';
import { KUBERNETES_REGISTRY } from '../kubernetes-images.ts';
import { knowsSetting } from '../kubernetes-versions.ts';
import { apiServerAddresses } from './api-server-addresses.ts';
import type { ClusterRule, Known } from './rule.ts';

/** The image of a Kubernetes component. Undefined if machines get their images from prepared assets. */
const imageOf = (component: string, { spec, traits }: Known) =>
  traits.bringsImages || spec.kubernetesVersion === undefined
    ? undefined
    : mirroredImage(`${KUBERNETES_REGISTRY}/${component}:v${bareVersion(spec.kubernetesVersion)}`, spec.assets);

/** The value of --cloud-provider. */
const cloudProviderFlag = ({ spec, traits }: Known, external: boolean) =>
  traits.hasCloudProvider ? (external ? 'external' : spec.cloudProvider) : undefined;

/** The certificate with which every kubelet proves itself, whoever issued it. */
const KUBELET_FILES = { tlsCertFile: `${KUBELET_SERVER}.crt`, tlsPrivateKeyFile: `${KUBELET_SERVER}.key` };

const API_SERVER_FILES = {
  clientCAFile: CA_FILE,
  etcdCaFile: `${API_SERVER_DIR}/etcd-ca.crt`,
  etcdCertFile: `${API_SERVER_DIR}/etcd-client.crt`,
  etcdKeyFile: `${API_SERVER_DIR}/etcd-client.key`,
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

/** With these, the component asks the API who may read its /metrics, and its certificate is issued by the cluster. */
const serving = (dir: string, pkiDir: string) => ({
  authenticationKubeconfig: `${dir}/kubeconfig`,
  authorizationKubeconfig: `${dir}/kubeconfig`,
  tlsCertFile: `${pkiDir}/server.crt`,
  tlsPrivateKeyFile: `${pkiDir}/server.key`,
});

export const componentRules: readonly ClusterRule[] = [
  {
    name: 'kops default of kube-apiserver',
    infer: (known) => {
      const { spec, instanceGroups, defaults } = known;
      if (defaults === undefined) return {};
      const controlPlanes = instanceGroups.filter(isControlPlane);
      const sized = controlPlanes.every((group) => group.spec.minSize !== undefined);
      const address = spec.masterInternalName === undefined ? undefined : `https://${spec.masterInternalName}`;
      const issuer = discoveryServiceOf(spec) ?? address;
      return {
        kubeAPIServer: {
          allowPrivileged: true,
          ...anonymousRequests(known),
          apiAudiences: ['kubernetes.svc.default'],
          apiServerCount: sized ? controlPlanes.reduce((sum, group) => sum + (group.spec.minSize ?? 0), 0) : undefined,
          authorizationMode: authorizationMode(spec),
          cpuRequest: '150m',
          cloudProvider: knowsSetting(defaults, 'kubeAPIServer', 'cloudProvider')
            ? cloudProviderFlag(known, defaults.externalCloudProvider)
            : undefined,
          enableAdmissionPlugins: defaults.admissionPlugins,
          // So that requests to metrics servers are spread over all of them (kops pkg/model/components/apiserver.go).
          enableAggregatorRouting: spec.metricsServer?.enabled === true ? true : undefined,
          ...apiServerAddresses(spec),
          image: imageOf('kube-apiserver', known),
          insecurePort: defaults.insecurePortFlag ? 0 : undefined,
          kubeletPreferredAddressTypes: ['InternalIP', 'Hostname', 'ExternalIP'],
          logLevel: 2,
          requestheaderAllowedNames: ['aggregator'],
          requestheaderExtraHeaderPrefixes: ['X-Remote-Extra-'],
          requestheaderGroupHeaders: ['X-Remote-Group'],
          requestheaderUsernameHeaders: ['X-Remote-User'],
          serviceAccountIssuer: issuer,
          serviceAccountJWKSURI: issuer && `${spec.kubeAPIServer?.serviceAccountIssuer ?? issuer}/openid/v1/jwks`,
          serviceClusterIPRange: spec.serviceClusterIPRange,
          storageBackend: 'etcd3',
        },
      };
    },
  },
  {
    name: "files that a node's plan writes",
    infer: ({ spec }) => ({
      kubeAPIServer: {
        ...API_SERVER_FILES,
        // A person who brings other certificates for kubelets also says how the API server recognises them.
        ...(spec.kubelet?.tlsCertFile === undefined && { kubeletCertificateAuthority: KUBELET_AUTHORITIES }),
        ...(spec.encryptionConfig === true && { encryptionProviderConfig: ENCRYPTION_CONFIG }),
      },
      ...(spec.kubelet?.tlsCertFile === undefined && { kubelet: KUBELET_FILES }),
      ...(spec.masterKubelet?.tlsCertFile === undefined && { masterKubelet: KUBELET_FILES }),
      kubeScheduler: serving(SCHEDULER_DIR, SCHEDULER_PKI_DIR),
      kubeControllerManager: {
        ...serving(CONTROLLER_MANAGER_DIR, CONTROLLER_MANAGER_PKI_DIR),
        rootCAFile: CA_FILE,
        serviceAccountPrivateKeyFile: `${CONTROLLER_MANAGER_PKI_DIR}/service-account.key`,
      },
    }),
  },
  {
    name: 'kops default of kube-controller-manager',
    infer: (known) => ({
      kubeControllerManager: {
        // Each machine has a part of its subnet for its pods.
        allocateNodeCIDRs: !isIpv6Alone(known.spec),
        controllers: isIpv6Alone(known.spec) ? ['*', '-nodeipam'] : undefined,
        attachDetachReconcileSyncPeriod: '1m0s',
        cloudProvider: known.defaults && cloudProviderFlag(known, known.defaults.externalCloudProvider),
        clusterCIDR: known.spec.podCIDR,
        clusterName: known.clusterName,
        cpuRequest: '100m',
        configureCloudRoutes: known.traits.routesPods === 'cloud' && usesCloudRoutes(known.spec),
        image: imageOf('kube-controller-manager', known),
        leaderElection: { leaderElect: true },
        logLevel: 2,
        useServiceAccountCredentials: true,
      },
    }),
  },
  {
    // At the default of 20 requests per second, the controllers of a new cluster wait for each other: the controllers that sign
    // certificates start 4.5 s after the leader is elected instead of 0.4 s, while the first workers request theirs.
    name: 'enough requests for the start of a cluster',
    infer: () => ({ kubeControllerManager: { kubeAPIQPS: 200, kubeAPIBurst: 400 } }),
  },
  {
    name: 'kops default of kube-scheduler',
    infer: (known) => ({
      kubeScheduler: {
        cpuRequest: '100m',
        image: imageOf('kube-scheduler', known),
        leaderElection: { leaderElect: true },
        logLevel: 2,
      },
    }),
  },
  {
    name: 'kops default of kube-proxy',
    infer: (known) => ({
      kubeProxy: {
        clusterCIDR: known.spec.podCIDR,
        conntrackMaxPerCore: 131072,
        cpuRequest: '100m',
        enabled: true,
        image: imageOf('kube-proxy', known),
        logLevel: 2,
      },
    }),
  },
];

/**
 * Anonymous requests are rejected, except for health checks if the API server can allow single paths: the probes of
 * kubelet have no credentials (docs/decisions/0007-probes-of-the-api-server.md). The file cannot be combined with the
 * flags for OIDC, or with an authorization mode that allows everything.
 */
function anonymousRequests({ spec, defaults }: Known) {
  const { kubeAPIServer = {}, authorization } = spec;
  const { anonymousAuth, authenticationConfigFile: file } = kubeAPIServer;
  const hasOidc = Object.keys(kubeAPIServer).some((field) => field.startsWith('oidc'));
  const isOurs = file === undefined || file === AUTHENTICATION_CONFIG;
  const canTellApart = defaults?.anonymousPaths === true && authorization?.alwaysAllow === undefined;
  return anonymousAuth === undefined && isOurs && canTellApart && !hasOidc
    ? { authenticationConfigFile: AUTHENTICATION_CONFIG }
    : { anonymousAuth: false };
}

function authorizationMode({ authorization }: ClusterSpec): string | undefined {
  if (authorization?.rbac !== undefined) return 'Node,RBAC';
  return authorization?.alwaysAllow === undefined ? undefined : 'AlwaysAllow';
}
