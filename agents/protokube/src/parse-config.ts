import { FieldReader } from '@kopsctl/agent/field-reader.ts';
import type {
  DriftConfig,
  EtcdVolumeMount,
  GossipConfig,
  IdentityConfig,
  ProtokubeConfig,
  ZoneConfig,
  ZoneProvider,
} from '@kopsctl/node-plan/agent-config.ts';
import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';

const ROLES = ['ControlPlane', 'APIServer', 'Node', 'Bastion'] as const satisfies readonly NodeRole[];

/** @throws when the text is not JSON, or with the paths of all fields that are missing or malformed */
export function parseConfig(text: string): ProtokubeConfig {
  const from = new FieldReader(JSON.parse(text));
  const withKubeconfig = (one: FieldReader) => ({ kubeconfig: one.text('kubeconfig') });
  const config: ProtokubeConfig = {
    cluster: from.text('cluster'),
    cloud: from.text('cloud'),
    stateStore: from.text('stateStore'),
    ...from.optional('storePlaces', (name) =>
      from.objects(name, (one) => ({ folder: one.text('folder'), url: one.text('url') })),
    ),
    role: from.word('role', ROLES),
    nodeName: from.text('nodeName'),
    address: from.text('address'),
    volumes: from.objects('volumes', volumeIn),
    hosts: from.objects('hosts', (one) => ({ name: one.text('name'), role: one.word('role', ROLES) })),
    ...from.optional('balanced', (name) =>
      from.object(name, (one) => ({ names: one.texts('names'), loadBalancer: one.text('loadBalancer') })),
    ),
    ...from.optional('gossip', (name) => from.object(name, gossipIn)),
    ...from.optional('memberHosts', (name) =>
      from.objects(name, (one) => ({ tagKey: one.text('tagKey'), memberHost: one.text('memberHost') })),
    ),
    ...from.optional('restores', (name) =>
      from.objects(name, (one) => ({ etcdCluster: one.text('etcdCluster'), backupPath: one.text('backupPath') })),
    ),
    ...from.optional('podHosts', (name) => from.text(name)),
    state: from.object('state', withKubeconfig),
    ...from.optional('drift', (name) => from.object(name, driftIn)),
    ...from.optional('podRoutes', (name) => from.object(name, withKubeconfig)),
    ...from.optional('podNetworks', (name) =>
      from.object(name, (one) => ({ ...withKubeconfig(one), range: one.text('range') })),
    ),
    ...from.optional('podRanges', (name) => from.object(name, withKubeconfig)),
    ...from.optional('nodeMarks', (name) => from.object(name, withKubeconfig)),
    ...from.optional('addons', (name) =>
      from.object(name, (one) => ({
        ...withKubeconfig(one),
        channels: one.texts('channels'),
        ...one.optional('yieldsTo', (key) => one.text(key)),
      })),
    ),
    ...from.optional('identity', (name) => from.object(name, identityIn)),
    ...from.optional('dns', (name) => from.object(name, zoneIn)),
    ...from.optional('apiHealth', (name) =>
      from.object(name, (one) => ({ port: one.port('port'), ...withKubeconfig(one) })),
    ),
    ...from.optional('broker', (name) =>
      from.object(name, (one) => ({ socket: one.text('socket'), user: one.text('user') })),
    ),
  };
  from.refuseFaults();
  return config;
}

const volumeIn = (from: FieldReader): EtcdVolumeMount => ({
  etcdCluster: from.text('etcdCluster'),
  tagKey: from.text('tagKey'),
  mountPoint: from.text('mountPoint'),
  memberHost: from.text('memberHost'),
});

const driftIn = (from: FieldReader): DriftConfig => ({
  plan: from.text('plan'),
  bootReport: from.text('bootReport'),
  report: from.text('report'),
  service: from.text('service'),
});

const identityIn = (from: FieldReader): IdentityConfig => ({
  port: from.port('port'),
  authorityCa: from.text('authorityCa'),
  machineKey: from.text('machineKey'),
  kubelet: from.object('kubelet', (one) => ({
    ca: one.text('ca'),
    client: one.text('client'),
    serving: one.text('serving'),
    restartsForServing: one.boolean('restartsForServing'),
  })),
  secrets: from.objects('secrets', (one) => ({ name: one.text('name'), path: one.text('path') })),
  authorities: from.objects('authorities', (one) => ({ name: one.text('name'), path: one.text('path') })),
  bootReport: from.text('bootReport'),
});

const gossipIn = (from: FieldReader): GossipConfig => ({
  rings: from.objects('rings', (ring) => ({
    name: ring.word('name', ['control-plane', 'workers']),
    port: ring.port('port'),
    keysFile: ring.text('keysFile'),
    ...ring.optional('keysSecret', (name) => ring.text(name)),
  })),
  signing: from.object('signing', (signing) => ({
    authoritiesFile: signing.text('authoritiesFile'),
    ...signing.optional('identity', (name) =>
      signing.object(name, (one) => ({ certificateFile: one.text('certificateFile'), keyFile: one.text('keyFile') })),
    ),
  })),
});

const zoneIn = (from: FieldReader): ZoneConfig => ({
  kubeconfig: from.text('kubeconfig'),
  zone: from.text('zone'),
  provider: from.object('provider', providerIn),
  isIpv6Only: from.boolean('isIpv6Only'),
  ...from.optional('apiPublicName', (name) => from.text(name)),
  ...from.optional('apiInternalName', (name) => from.text(name)),
  ...from.optional('objects', (name) =>
    from.object(name, (one) => ({
      ...one.optional('namespace', (inner) => one.text(inner)),
      ingresses: one.boolean('ingresses'),
    })),
  ),
});

function providerIn(from: FieldReader): ZoneProvider {
  const name = from.word('name', ['Route53', 'CloudDNS', 'RFC2136']);
  switch (name) {
    case 'Route53':
      return { name, isPrivate: from.boolean('isPrivate') };
    case 'CloudDNS':
      return { name, ...from.optional('project', (one) => from.text(one)), isPrivate: from.boolean('isPrivate') };
    case 'RFC2136':
      return { name, address: from.text('address'), port: from.port('port'), keySecret: from.text('keySecret') };
  }
}
