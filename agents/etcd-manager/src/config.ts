import type { EtcdClusterConfig, EtcdManagerConfig } from '@kopsctl/node-plan/agent-config.ts';
import { FieldReader } from '@kopsctl/agent/field-reader.ts';

/** @throws when the text is not JSON, or naming every field that is missing or has another type */
export function parseConfig(text: string): EtcdManagerConfig {
  const fields = new FieldReader(JSON.parse(text));
  const config = {
    cluster: fields.text('cluster'),
    cloud: fields.text('cloud'),
    stateStore: fields.text('stateStore'),
    ...fields.optional('storePlaces', (name) =>
      fields.objects(name, (one) => ({ folder: one.text('folder'), url: one.text('url') })),
    ),
    address: fields.text('address'),
    etcdClusters: fields.objects('etcdClusters', etcdClusterIn),
  };
  fields.refuseFaults();
  return config;
}

function etcdClusterIn(fields: FieldReader): EtcdClusterConfig {
  return {
    name: fields.text('name'),
    mountPoint: fields.text('mountPoint'),
    members: fields.texts('members'),
    memberHost: fields.text('memberHost'),
    ...fields.optional('serverNames', (name) => fields.texts(name)),
    clientPort: fields.port('clientPort'),
    peerPort: fields.port('peerPort'),
    etcdVersion: fields.text('etcdVersion'),
    binDir: fields.text('binDir'),
    ...fields.optional('binaries', (name) =>
      fields.objects(name, (binary) => ({ version: binary.text('version'), binDir: binary.text('binDir') })),
    ),
    backupPath: fields.text('backupPath'),
    peersCa: fields.text('peersCa'),
    clientsCa: fields.text('clientsCa'),
    env: fields.objects('env', (one) => ({ name: one.text('name'), value: one.text('value', 'may be empty') })),
  };
}
