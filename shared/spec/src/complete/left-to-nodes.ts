import type { ClusterSpec } from '../cluster.ts';
import { parseDurationMs } from '../duration.ts';
import {
  BACKUP_INTERVAL_MINUTES,
  BACKUP_INTERVAL_VARIABLE,
  LOG_LEVEL_VARIABLE,
  POLL_INTERVAL_SECONDS,
  POLL_INTERVAL_VARIABLE,
  USUAL_LOG_LEVEL,
} from '../etcd-defaults.ts';
import { DEFAULT_INGRESS_SERVICE } from '../ingress-service.ts';
import { isIpv6Alone } from '../names.ts';
import { CONTAINERD_SOCKET } from '../node-paths.ts';
import { DEFAULT_NODE_PORTS } from '../node-ports.ts';
import { defaultMaxSurge, defaultMaxUnavailable, DRAINS_AND_TERMINATES } from '../rolling-defaults.ts';
import type { Known } from './rule.ts';

const NAME = "no value here: each node's own name";
const LABELS = "no value here: the labels of each node's role and instance group";
const RESOLV_CONF =
  "no value here: each node's own /etc/resolv.conf, or systemd-resolved's if that file names loopback addresses only";
const ATTESTED = 'protokube gets the certificates of the kubelet once an authority has attested the machine';
const CONTAINERD = 'no value here: the version that the prepared assets hold';
const IMAGE = 'no value here: the image that the prepared assets hold';

/**
 * Fields that completion leaves open because their value differs between nodes, because a component has its own default, or
 * because it depends on what is done: for each path, what `explain` says.
 */
export const leftToNodes = ({ spec, traits, defaults }: Known): Readonly<Record<string, string>> => ({
  'spec.kubeAPIServer.serviceNodePortRange': `no value here: ${DEFAULT_NODE_PORTS}, the default of Kubernetes`,
  'spec.kubelet.bootstrapKubeconfig': `no value here: ${ATTESTED}`,
  'spec.kubelet.hostnameOverride': NAME,
  'spec.kubelet.nodeLabels': LABELS,
  'spec.kubelet.resolvConf': RESOLV_CONF,
  'spec.kubelet.rotateCertificates': `no value here: ${ATTESTED}`,
  'spec.kubeProxy.bindAddress': "no value here: each node's own address",
  'spec.kubeProxy.hostnameOverride': NAME,
  'spec.masterKubelet.hostnameOverride': NAME,
  'spec.masterKubelet.nodeLabels': LABELS,
  'spec.masterKubelet.resolvConf': RESOLV_CONF,
  'spec.rollingUpdate.drainAndTerminate': `no value here: ${DRAINS_AND_TERMINATES}`,
  'spec.rollingUpdate.maxSurge': `no value here: ${defaultMaxSurge(true)} where the cloud can add a machine to a group for a while, otherwise ${defaultMaxSurge(false)}, as for control planes`,
  'spec.rollingUpdate.maxUnavailable': `no value here: ${defaultMaxUnavailable(0)} where maxSurge is 0, otherwise ${defaultMaxUnavailable(1)}`,
  ...leftToEtcdManagers(spec),
  'spec.updatePolicy': 'no value here: the image of the machines decides',
  ...(spec.containerRuntime === 'containerd' && {
    'spec.containerd.address': `no value here: ${CONTAINERD_SOCKET}, the default of containerd`,
  }),
  ...(isIpv6Alone(spec) && {
    'spec.kubeAPIServer.advertiseAddress': "no value here: each control plane's own address",
  }),
  ...(spec.externalDns?.provider === 'external-dns' && {
    'spec.externalDns.watchIngress': 'no value here: external-dns publishes the names of Ingresses unless it is false',
  }),
  ...(spec.networking?.cilium?.ingress?.enabled === true && {
    'spec.networking.cilium.ingress.sharedLoadBalancerServiceName': `no value here: ${DEFAULT_INGRESS_SERVICE}, the default of Cilium`,
  }),
  ...(defaults && {
    'spec.masterKubelet.taints': `no value here: every control plane has the taint ${defaults.controlPlaneTaint}:NoSchedule`,
  }),
  ...(traits.bringsImages && {
    'spec.containerd.sandboxImage': IMAGE,
    'spec.containerd.version': CONTAINERD,
    'spec.kubeAPIServer.image': IMAGE,
    'spec.kubeControllerManager.image': IMAGE,
    'spec.kubeProxy.image': IMAGE,
    'spec.kubeScheduler.image': IMAGE,
    'spec.kubelet.podInfraContainerImage': IMAGE,
    'spec.masterKubelet.podInfraContainerImage': IMAGE,
  }),
});

/** Fields of etcd-manager that a variable in manager.env says too, and what it does where neither does. */
const OF_ETCD_MANAGER = [
  {
    field: 'backupInterval',
    variable: BACKUP_INTERVAL_VARIABLE,
    counts: (value: string) => (parseDurationMs(value) ?? 0) > 0,
    otherwise: `${BACKUP_INTERVAL_MINUTES}m0s`,
  },
  {
    field: 'discoveryPollInterval',
    variable: POLL_INTERVAL_VARIABLE,
    counts: (value: string) => parseDurationMs(value) !== undefined,
    otherwise: `${POLL_INTERVAL_SECONDS}s`,
  },
  {
    field: 'logLevel',
    variable: LOG_LEVEL_VARIABLE,
    counts: (value: string) => /^\d+$/.test(value),
    otherwise: String(USUAL_LOG_LEVEL),
  },
];

/** A variable that has a meaning counts for a field that is not set. */
function leftToEtcdManagers({ etcdClusters = [] }: ClusterSpec): Readonly<Record<string, string>> {
  return Object.fromEntries(
    etcdClusters.flatMap(({ manager }, index) =>
      OF_ETCD_MANAGER.map(({ field, variable, counts, otherwise }) => {
        const value = manager?.env?.find(({ name }) => name === variable)?.value ?? '';
        const told = counts(value)
          ? `${value}, as ${variable} in manager.env says`
          : `${otherwise}, the default of etcd-manager`;
        return [`spec.etcdClusters[${index}].manager.${field}`, `no value here: ${told}`] as const;
      }),
    ),
  );
}
