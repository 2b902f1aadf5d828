import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { etcdVolumeTag } from '@kopsctl/model/etcd-clusters.ts';
import { zoneOf } from '@kopsctl/model/zone.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import type { Enrolment } from '@kopsctl/node-identity/enrolment.ts';
import type { HostRecord, HostVolume } from '@kopsctl/node-identity/host-record.ts';
import { certificatesEndMs } from '@kopsctl/node-identity/revocation.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';

/** The key of the first proof is good for this long: a machine boots in minutes. */
const FIRST_KEY_MS = 60 * 60_000;

export interface HostInput {
  readonly cluster: string;
  readonly group: InstanceGroup;
  /** The spec of the completed cluster. */
  readonly spec: ClusterSpec;
  /** What the machine calls itself. */
  readonly hostName: string;
  readonly address: string;
  readonly instanceId: string;
  /** DER of SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array;
  readonly nowMs: number;
}

/** What is known of the name that a machine wants. */
export interface Namesake {
  readonly host: HostRecord | undefined;
  readonly enrolment: Pick<Enrolment, 'revokedAt'> | undefined;
  /** All other machines that people enrolled. */
  readonly others: readonly HostRecord[];
}

/** What the store is to keep of a machine that a person enrolls. @throws ActionableError if it cannot have its name or group */
export function planHost(input: HostInput, { host, enrolment, others }: Namesake): HostRecord {
  const { group, hostName, address, nowMs } = input;
  const role = roleOf(group);
  const node = nodeNameOf(hostName);
  const refuse = (why: string, next: string): ActionableError =>
    new ActionableError({ what: `enroll ${address} as ${node}`, why, next });
  if (host !== undefined && host.address !== address) {
    throw refuse(`the machine at ${host.address} has that name`, 'give this machine another host name');
  }
  const restsUntilMs = enrolment && certificatesEndMs(enrolment);
  if (restsUntilMs !== undefined && nowMs < restsUntilMs) {
    throw refuse(
      `a machine of that name was revoked, and the name cannot be used again until ${new Date(restsUntilMs).toISOString()}`,
      `give this machine another host name, or undo the revocation with \`kopsctl toolbox re-enroll ${node} --unrevoke\``,
    );
  }
  const volumes = role === 'ControlPlane' ? volumesOf(input) : [];
  const other = others.find(({ instanceGroup }) => instanceGroup === group.metadata.name);
  if (volumes.length > 0 && other !== undefined) {
    throw refuse(
      `the etcd members of ${group.metadata.name} are on ${other.node}`,
      'create an instance group for each control plane, and a member of each etcd cluster for each group',
    );
  }
  return {
    node,
    instanceId: input.instanceId,
    instanceGroup: group.metadata.name,
    role,
    address,
    zone: zoneOf(input.spec, group),
    enrolledMs: nowMs,
    ...(role !== 'ControlPlane' && {
      firstKey: {
        publicKey: Buffer.from(input.publicKey).toString('base64url'),
        goodUntilMs: nowMs + FIRST_KEY_MS,
      },
    }),
    volumes,
  };
}

/** @throws ActionableError if no Node can be called that */
export function nodeNameOf(hostName: string): string {
  const node = hostName.trim().toLowerCase();
  // RFC 1123, as Kubernetes checks it.
  const isName =
    node.length <= 253 && node.split('.').every((label) => /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(label));
  if (isName && node !== 'localhost') return node;
  throw new ActionableError({
    what: 'name the Node of the machine after its host name',
    why: `${JSON.stringify(hostName.trim().slice(0, 100))} is not a valid name for a Node`,
    next: 'set one with `hostnamectl set-hostname NAME` on that machine',
  });
}

/** A partition for each etcd cluster, by the label that a person gave it. */
function volumesOf({ cluster, group, spec: { etcdClusters = [] } }: HostInput): readonly HostVolume[] {
  return etcdClusters.flatMap(({ name = '', etcdMembers = [] }) => {
    const all = etcdMembers.map((member) => member.name ?? '').join(',');
    return etcdMembers
      .filter(({ instanceGroup }) => instanceGroup === group.metadata.name)
      .map((member) => ({
        name: `${member.name ?? ''}.etcd-${name}.${cluster}`,
        device: `/dev/disk/by-partlabel/etcd-${name}`,
        tags: { [etcdVolumeTag(name)]: `${member.name ?? ''}/${all}` },
      }));
  });
}
