import type { ClusterSpec } from '../cluster.ts';
import { bareVersion, isControlPlane, usesCloudRoutes } from '../names.ts';
import { issuerOf } from './aws.ts';
import type { ClusterRule } from './rule.ts';

/** The image of one of Kubernetes's own components. A local cluster brings its own images, so its spec names none. */
const imageOf = (component: string, spec: ClusterSpec, registry: string | undefined) =>
  spec.cloudProvider === 'local' || spec.kubernetesVersion === undefined || registry === undefined
    ? undefined
    : `${registry}/${component}:v${bareVersion(spec.kubernetesVersion)}`;

/** What the components are told of the cloud they run in. */
const cloudProviderFlag = (spec: ClusterSpec, external: boolean) =>
  spec.cloudProvider === 'local' ? undefined : external ? 'external' : spec.cloudProvider;

export const componentRules: readonly ClusterRule[] = [
  {
    name: 'kops default of kube-apiserver',
    infer: ({ spec, instanceGroups, defaults }) => {
      if (defaults === undefined) return {};
      const controlPlanes = instanceGroups.filter(isControlPlane);
      const sized = controlPlanes.every((group) => group.spec.minSize !== undefined);
      const issuer =
        issuerOf(spec) ?? (spec.masterInternalName === undefined ? undefined : `https://${spec.masterInternalName}`);
      return {
        kubeAPIServer: {
          allowPrivileged: true,
          anonymousAuth: false,
          apiAudiences: ['kubernetes.svc.default'],
          apiServerCount: sized ? controlPlanes.reduce((sum, group) => sum + (group.spec.minSize ?? 0), 0) : undefined,
          authorizationMode: authorizationMode(spec),
          bindAddress: '0.0.0.0',
          cloudProvider: defaults.legacyCloudFlags
            ? cloudProviderFlag(spec, defaults.externalCloudProvider)
            : undefined,
          enableAdmissionPlugins: defaults.admissionPlugins,
          etcdServers: ['https://127.0.0.1:4001'],
          etcdServersOverrides: ['/events#https://127.0.0.1:4002'],
          image: imageOf('kube-apiserver', spec, defaults.imageRegistry),
          kubeletPreferredAddressTypes: ['InternalIP', 'Hostname', 'ExternalIP'],
          logLevel: 2,
          requestheaderAllowedNames: ['aggregator'],
          requestheaderExtraHeaderPrefixes: ['X-Remote-Extra-'],
          requestheaderGroupHeaders: ['X-Remote-Group'],
          requestheaderUsernameHeaders: ['X-Remote-User'],
          securePort: 443,
          serviceAccountIssuer: issuer,
          serviceAccountJWKSURI: issuer && `${spec.kubeAPIServer?.serviceAccountIssuer ?? issuer}/openid/v1/jwks`,
          serviceClusterIPRange: spec.serviceClusterIPRange,
          storageBackend: 'etcd3',
        },
      };
    },
  },
  {
    name: 'kops default of kube-controller-manager',
    infer: ({ spec, clusterName, defaults }) => ({
      kubeControllerManager: {
        allocateNodeCIDRs: true,
        attachDetachReconcileSyncPeriod: '1m0s',
        cloudProvider: defaults && cloudProviderFlag(spec, defaults.externalCloudProvider),
        clusterCIDR: spec.podCIDR,
        clusterName,
        // Routes between local machines are laid by their agents; there is no cloud to do it.
        configureCloudRoutes: spec.cloudProvider !== 'local' && usesCloudRoutes(spec),
        image: imageOf('kube-controller-manager', spec, defaults?.imageRegistry),
        leaderElection: { leaderElect: true },
        logLevel: 2,
        useServiceAccountCredentials: true,
      },
    }),
  },
  {
    name: 'kops default of kube-scheduler',
    infer: ({ spec, defaults }) => ({
      kubeScheduler: {
        image: imageOf('kube-scheduler', spec, defaults?.imageRegistry),
        leaderElection: { leaderElect: true },
        logLevel: 2,
      },
    }),
  },
  {
    name: 'kops default of kube-proxy',
    infer: ({ spec, defaults }) => ({
      kubeProxy: {
        clusterCIDR: spec.podCIDR,
        cpuRequest: '100m',
        image: imageOf('kube-proxy', spec, defaults?.imageRegistry),
        logLevel: 2,
      },
    }),
  },
];

function authorizationMode({ authorization }: ClusterSpec): string | undefined {
  if (authorization?.rbac !== undefined) return 'Node,RBAC';
  return authorization?.alwaysAllow === undefined ? undefined : 'AlwaysAllow';
}
