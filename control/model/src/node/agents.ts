import { ADOPT_UNIT } from '@kopsctl/node-plan/in-place.ts';
import type { EtcdManagerConfig, IdentityConfig, ProtokubeConfig } from '@kopsctl/node-plan/agent-config.ts';
import { CHECK_SERVICE, CHECK_TIMER, DRIFT_REPORT } from '@kopsctl/node-plan/drift-report.ts';
import { etcdQuotaBytes, QUOTA_SETTING } from '@kopsctl/node-plan/etcd-quota.ts';
import { repairsDrift } from '@kopsctl/spec/heal-settings.ts';
import type { Task, TaskId } from '@kopsctl/tasks/task.ts';
import { etcdManagerUnit } from '@kopsctl/systemd/etcd-manager.service.ts';
import { nodeupAdoptUnit } from '@kopsctl/systemd/nodeup-adopt.service.ts';
import {
  CHECK_ENVIRONMENT,
  checkEnvironment,
  nodeupCheckTimer,
  nodeupCheckUnit,
} from '@kopsctl/systemd/nodeup-check.service.ts';
import { nodeupUnit } from '@kopsctl/systemd/nodeup.service.ts';
import { protokubeUnit } from '@kopsctl/systemd/protokube.service.ts';
import { AUTHORITY_SYSTEM_USER } from '@kopsctl/systemd/node-authority.service.ts';
import { BROKER_SOCKET, MACHINE_PORT } from '@kopsctl/node-identity/addresses.ts';
import type { ClusterFacts } from '../cluster-facts.ts';
import {
  findsApiByLoadBalancer,
  GOSSIP_KEY,
  GOSSIP_RECORDS_CA,
  isIpv6Only,
  publishesNames,
  usesGossip,
} from '../discovery.ts';
import { CILIUM_ETCD, etcdClientsCa, etcdMemberHost, etcdPeersCa, etcdPorts, etcdVolumeTag } from '../etcd-clusters.ts';
import { etcdAsset, etcdAssets } from '../etcd-version.ts';
import { channelPath, KOPS_CHANNEL } from '../store/places.ts';
import { placesIfAny, storePlaces } from '../store/store-places.ts';
import { AUTHORITY_ACCOUNT } from './authority-account.ts';
import { usesKubenet } from '@kopsctl/spec/names.ts';
import { etcdBinDir } from './etcd.ts';
import { dockerConfigFiles } from './docker-config.ts';
import { gossipConfig, gossipFileIds, gossipFiles, GOSSIP_AUTHORITIES, WORKERS_KEYS_FILE } from './gossip.ts';
import { managerEnv } from './manager-env.ts';
import type { NodeContext } from './node-context.ts';
import { after, fileId, nodeTask, textFile, unitFile, unitPath } from './node-task.ts';
import {
  BOOT_REPORT,
  CA_FILE,
  KOPS_KUBECONFIG,
  KUBELET_CLIENT,
  KUBELET_KUBECONFIG,
  KUBELET_SERVER,
  MACHINE_KEY,
  NODE_PLAN,
  POD_HOSTS,
} from './paths.ts';
import { zoneConfig } from './zone-config.ts';

const PROTOKUBE_CONFIG = '/etc/kops/protokube.json';
const ETCD_MANAGER_CONFIG = '/etc/kops/etcd-manager.json';

/** The secrets that a machine gets once it is attested, and where it keeps them. */
export const machineSecrets = (facts: ClusterFacts): IdentityConfig['secrets'] => [
  ...(usesGossip(facts) ? [{ name: GOSSIP_KEY, path: WORKERS_KEYS_FILE }] : []),
  ...dockerConfigFiles(facts),
];

/** The keysets whose certificates a machine gets once it is attested, and where it keeps them. */
export const machineAuthorities = (facts: ClusterFacts): IdentityConfig['authorities'] =>
  usesGossip(facts) ? [{ name: GOSSIP_RECORDS_CA, path: GOSSIP_AUTHORITIES }] : [];

/** Where an etcd cluster's volume is mounted. */
const mountPoint = (etcdCluster: string) => `/mnt/etcd-${etcdCluster}`;

/**
 * protokube, and on the control plane etcd-manager. Both start as soon as their configuration is there: volumes,
 * names and etcd are what the API server waits for, while images are still on their way.
 */
export function agents(node: NodeContext): readonly Task[] {
  return [
    ...(usesGossip(node) ? gossipFiles(node) : []),
    ...agent('protokube', protokubeUnit(), PROTOKUBE_CONFIG, protokubeConfig(node), [
      ...(usesGossip(node) ? gossipFileIds(node) : []),
      ...(node.isControlPlane ? [AUTHORITY_ACCOUNT] : []),
    ]),
    ...(node.isControlPlane
      ? agent(
          'etcd-manager',
          etcdManagerUnit(etcdQuotas(node)),
          ETCD_MANAGER_CONFIG,
          etcdManagerConfig(node),
          etcdArchives(node),
        )
      : []),
    ...nodeup(),
    ...nodeupCheck(node),
  ];
}

function agent(
  name: string,
  unitText: string,
  configPath: string,
  config: ProtokubeConfig | EtcdManagerConfig,
  needs: readonly TaskId[] = [],
): readonly Task[] {
  const unit = `${name}.service`;
  return [
    textFile(configPath, `${JSON.stringify(config, null, 2)}\n`),
    unitFile(unit, unitText),
    nodeTask('Service', unit, {
      unit,
      enabled: true,
      running: true,
      // They wait for each other and for the cluster. Nothing waits for them.
      noBlock: true,
      restartOn: after(fileId(configPath), fileId(unitPath(unit))),
      restartOnPaths: [configPath, unitPath(unit)],
      ...(needs.length > 0 ? { after: after(...needs) } : {}),
    }),
  ];
}

/** nodeup itself: it is at work right now, so it is only made to run at the next boot as well. */
function nodeup(): readonly Task[] {
  const unit = 'nodeup.service';
  return [
    unitFile(unit, nodeupUnit()),
    nodeTask('Service', unit, { unit, enabled: true, running: false, after: after(fileId(unitPath(unit))) }),
  ];
}

/**
 * The units that check whether the machine still is what its plan says, now and then and when protokube sees a file change, and
 * the unit that makes it follow another plan.
 */
function nodeupCheck({ cluster, instanceGroup }: NodeContext): readonly Task[] {
  return [
    textFile(CHECK_ENVIRONMENT, checkEnvironment({ repairs: repairsDrift(cluster, instanceGroup) })),
    unitFile(CHECK_SERVICE, nodeupCheckUnit()),
    unitFile(CHECK_TIMER, nodeupCheckTimer()),
    unitFile(ADOPT_UNIT, nodeupAdoptUnit()),
    nodeTask('Service', CHECK_TIMER, {
      unit: CHECK_TIMER,
      enabled: true,
      running: true,
      after: after(fileId(CHECK_ENVIRONMENT), fileId(unitPath(CHECK_SERVICE)), fileId(unitPath(CHECK_TIMER))),
    }),
  ];
}

/** How large the database of each etcd may become, in bytes. */
const etcdQuotas = (node: NodeContext): readonly number[] =>
  node.etcdClusters.map(({ manager }) =>
    etcdQuotaBytes(manager?.env?.find(({ name }) => name === QUOTA_SETTING)?.value),
  );

const etcdArchives = (node: NodeContext): readonly TaskId[] => [
  ...new Set(
    node.etcdClusters.flatMap((cluster) =>
      etcdAssets(cluster, node.assets).map((entry): TaskId => `Archive/${entry.name}`),
    ),
  ),
];

function protokubeConfig(node: NodeContext): ProtokubeConfig {
  const routes = node.cloud.traits.routesPods === 'machines' && usesKubenet(node.spec);
  // A worker that finds the API's name in DNS has no need, and in AWS no right, to list the machines.
  const asksDns = !node.isControlPlane && publishesNames(node);
  const balanced = !node.isControlPlane && findsApiByLoadBalancer(node);
  // Where nothing else can answer to the public name, machines know it as well.
  const ownNames = node.cloud.traits.hasLoadBalancers
    ? [node.apiInternalName]
    : [node.apiInternalName, node.apiPublicName];
  const names = asksDns || balanced ? [] : ownNames;
  const dns = node.isControlPlane ? zoneConfig(node) : undefined;
  const kubeconfig = node.isControlPlane ? KOPS_KUBECONFIG : KUBELET_KUBECONFIG;
  const servesApi = node.isControlPlane || node.role === 'APIServer';
  const healthPort = servesApi ? node.cloud.apiHealthPort?.(node) : undefined;
  return {
    cluster: node.clusterName,
    cloud: node.cloud.name,
    stateStore: node.nodeStoreUrl,
    ...placesIfAny(storePlaces(node)),
    role: node.role,
    nodeName: '@{nodeName}',
    address: '@{address}',
    volumes: node.isControlPlane
      ? node.etcdClusters.map(({ name = '' }) => ({
          etcdCluster: name,
          tagKey: etcdVolumeTag(name),
          mountPoint: mountPoint(name),
          memberHost: etcdMemberHost(name, node.clusterName),
        }))
      : [],
    hosts: names.flatMap((name) => (['ControlPlane', 'APIServer'] as const).map((role) => ({ name, role }))),
    ...(node.role === 'APIServer' && !publishesNames(node)
      ? {
          memberHosts: node.etcdClusters.map(({ name = '' }) => ({
            tagKey: etcdVolumeTag(name),
            memberHost: etcdMemberHost(name, node.clusterName),
          })),
        }
      : {}),
    ...(node.role === 'APIServer'
      ? {
          restores: node.etcdClusters.map(({ name = '' }) => ({
            etcdCluster: name,
            backupPath: backupPath(name, node.clusterName),
          })),
        }
      : {}),
    ...(publishesNames(node) ? {} : { podHosts: POD_HOSTS }),
    state: { kubeconfig },
    drift: { plan: NODE_PLAN, bootReport: BOOT_REPORT, report: DRIFT_REPORT, service: CHECK_SERVICE },
    ...(balanced ? { balanced: { names: [node.apiInternalName], loadBalancer: '@{apiLoadBalancer}' } } : {}),
    ...(usesGossip(node) ? { gossip: gossipConfig(node) } : {}),
    ...(routes ? { podRoutes: { kubeconfig } } : {}),
    ...(node.isControlPlane
      ? {
          ...(routes && node.podRange !== undefined
            ? { podNetworks: { kubeconfig: KOPS_KUBECONFIG, range: node.podRange } }
            : {}),
          ...(isIpv6Only(node) && { podRanges: { kubeconfig: KOPS_KUBECONFIG } }),
          nodeMarks: { kubeconfig: KOPS_KUBECONFIG },
          addons: {
            kubeconfig: KOPS_KUBECONFIG,
            channels: channelsOf(node),
            ...(node.isOfKops ? { yieldsTo: KOPS_CHANNEL } : {}),
          },
          broker: { socket: BROKER_SOCKET, user: AUTHORITY_SYSTEM_USER },
        }
      : { identity: identityOf(node) }),
    ...(dns && { dns }),
    ...(healthPort === undefined ? {} : { apiHealth: { port: healthPort, kubeconfig } }),
  };
}

/** How a machine without a key of a CA proves itself. */
const identityOf = (node: NodeContext): IdentityConfig => ({
  port: MACHINE_PORT,
  authorityCa: '@{authorityCa}',
  machineKey: MACHINE_KEY,
  kubelet: {
    ca: CA_FILE,
    client: KUBELET_CLIENT,
    serving: KUBELET_SERVER,
    restartsForServing: !node.kubernetes.reloadsServingCertificate,
  },
  secrets: machineSecrets(node),
  authorities: machineAuthorities(node),
  bootReport: BOOT_REPORT,
});

/** Where kops keeps backups of an etcd cluster, below the store's root. */
const backupPath = (etcdCluster: string, clusterName: string): string => `${clusterName}/backups/etcd/${etcdCluster}`;

/** The built-in channel, then the user's in the spec's order. */
const channelsOf = (node: NodeContext): readonly string[] => [
  channelPath(node),
  ...(node.spec.addons ?? []).flatMap(({ manifest }) => manifest ?? []),
];

function etcdManagerConfig(node: NodeContext): EtcdManagerConfig {
  return {
    cluster: node.clusterName,
    cloud: node.cloud.name,
    stateStore: node.nodeStoreUrl,
    ...placesIfAny(storePlaces(node)),
    address: '@{address}',
    etcdClusters: node.etcdClusters.map((etcdCluster) => {
      const name = etcdCluster.name ?? '';
      const ports = etcdPorts(name);
      const entry = etcdAsset(etcdCluster, node.assets);
      return {
        name,
        mountPoint: mountPoint(name),
        members: (etcdCluster.etcdMembers ?? []).map((member) => member.name ?? ''),
        memberHost: etcdMemberHost(name, node.clusterName),
        // Cilium's agents are on machines that know no names of members.
        ...(name === CILIUM_ETCD ? { serverNames: [node.apiInternalName] } : {}),
        clientPort: ports.client,
        peerPort: ports.peer,
        etcdVersion: entry.version,
        binDir: etcdBinDir(entry),
        binaries: etcdAssets(etcdCluster, node.assets).map((one) => ({
          version: one.version,
          binDir: etcdBinDir(one),
        })),
        backupPath: backupPath(name, node.clusterName),
        peersCa: etcdPeersCa(name),
        clientsCa: etcdClientsCa(name),
        env: managerEnv(etcdCluster.manager),
      };
    }),
  };
}
