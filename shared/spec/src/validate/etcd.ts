import semver from 'semver';
import type { Cluster, EtcdClusterSpec } from '../cluster.ts';
import type { InstanceGroup } from '../instance-group.ts';
import { isControlPlane } from '../names.ts';
import { validateEtcdVariables } from './etcd-variables.ts';
import { fault, type Fault } from './fault.ts';

/** The etcd clusters that have ports and that something uses. */
const ETCD_CLUSTERS: readonly string[] = ['main', 'events', 'cilium', 'leases'];

export function* validateEtcd({ spec }: Cluster, instanceGroups: readonly InstanceGroup[]): Iterable<Fault> {
  const { etcdClusters } = spec;
  if (etcdClusters === undefined) return;
  const names = etcdClusters.map(({ name }) => name);
  if (!names.includes('main')) yield fault('spec.etcdClusters', "there is no etcd cluster called 'main'");
  for (const [index, etcd] of etcdClusters.entries()) {
    const path = `spec.etcdClusters[${index}]`;
    if (etcd.name === undefined) yield fault(`${path}.name`, 'must be set', 'main or events');
    else if (!ETCD_CLUSTERS.includes(etcd.name)) {
      yield fault(`${path}.name`, `expected one of ${ETCD_CLUSTERS.join(', ')}, found '${etcd.name}'`);
    } else if (names.indexOf(etcd.name) < index)
      yield fault(`${path}.name`, `two etcd clusters are called '${etcd.name}'`);
    const version = semver.parse((etcd.version ?? '').replace(/^v/, ''));
    if ((etcd.version ?? '') !== '' && version?.major !== 3)
      yield fault(`${path}.version`, `'${etcd.version}' is not a release of etcd 3`, 'e.g. 3.6.6');
    if ((etcd.manager?.backupRetentionDays ?? 0) < 0) {
      yield fault(
        `${path}.manager.backupRetentionDays`,
        'is negative',
        'write the number of days for which backups are kept',
      );
    }
    yield* validateEtcdVariables(etcd.manager ?? {}, `${path}.manager`);
    yield* validateMembers(etcd, path, instanceGroups);
  }
}

function* validateMembers(
  { etcdMembers }: EtcdClusterSpec,
  path: string,
  instanceGroups: readonly InstanceGroup[],
): Iterable<Fault> {
  if (etcdMembers === undefined) return;
  if (etcdMembers.length % 2 === 0) {
    yield fault(`${path}.etcdMembers`, `found ${etcdMembers.length}; use an odd number of members`);
  }
  const seen = new Set<string>();
  for (const [index, { name, instanceGroup }] of etcdMembers.entries()) {
    const at = `${path}.etcdMembers[${index}]`;
    if (name === undefined) yield fault(`${at}.name`, 'must be set', 'a, b, c …');
    else if (seen.has(name)) yield fault(`${at}.name`, `two members are called '${name}'`);
    seen.add(name ?? '');
    const group = instanceGroups.find(({ metadata }) => metadata.name === instanceGroup);
    if (instanceGroup === undefined) yield fault(`${at}.instanceGroup`, 'must be set');
    else if (group === undefined) {
      const known = instanceGroups.filter(isControlPlane).map(({ metadata }) => metadata.name);
      yield fault(
        `${at}.instanceGroup`,
        `there is no instance group '${instanceGroup}'`,
        `control-plane groups: ${known.join(', ') || 'none'}`,
      );
    } else if (!isControlPlane(group)) {
      yield fault(`${at}.instanceGroup`, `instance group '${instanceGroup}' is not a control plane`);
    }
  }
}
