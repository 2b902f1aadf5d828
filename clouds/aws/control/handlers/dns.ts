import {
  AssociateVPCWithHostedZoneCommand,
  ChangeResourceRecordSetsCommand,
  GetHostedZoneCommand,
  type HostedZone,
  ListHostedZonesByNameCommand,
  ListResourceRecordSetsCommand,
  paginateListHostedZones,
  type ResourceRecordSet,
  type VPC,
} from '@aws-sdk/client-route-53';
import { listRecordSets, observeRecordSet } from '@kopsctl/dns/route53/route53-zones.ts';
import { ownSets } from '@kopsctl/dns/zone-view.ts';
import { PermanentError } from '@kopsctl/tasks/failure.ts';
import type { AwsCloud } from './aws-cloud.ts';
import type { PropsOf } from '../kinds/aws-kinds.ts';
import { resourceHandler } from './resource-handler.ts';
import { isZoneId } from '../defaults.ts';
import { partitionOf } from '../region.ts';

const bareId = (id: string | undefined): string => (id ?? '').replace(/^\/hostedzone\//, '');

const absolute = (name: string): string => (name.endsWith('.') ? name : `${name}.`).toLowerCase();

async function findZone(
  { zone, private: isPrivate }: PropsOf<'aws/HostedZone'>,
  aws: AwsCloud,
): Promise<HostedZone | undefined> {
  if (isZoneId(zone)) {
    return (await aws.route53.send(new GetHostedZoneCommand({ Id: zone }))).HostedZone;
  }
  // The list is sorted by name and begins with the requested one.
  const { HostedZones = [] } = await aws.route53.send(new ListHostedZonesByNameCommand({ DNSName: absolute(zone) }));
  const named = HostedZones.filter(
    ({ Name = '', Config }) => absolute(Name) === absolute(zone) && (Config?.PrivateZone ?? false) === isPrivate,
  );
  if (named.length < 2) return named[0];
  throw new PermanentError({
    what: `find the hosted zone ${zone}`,
    why: `${named.length} zones have that name: ${named.map(({ Id }) => bareId(Id)).join(', ')}`,
    next: 'set spec.dnsZone to the id of one of them',
  });
}

interface FoundZone {
  readonly id: string;
  readonly arn: string;
}

/** A hosted zone is never created: that is a decision about a domain and everything else in it. */
export const hostedZoneHandler = resourceHandler<'aws/HostedZone', FoundZone>({
  kind: 'aws/HostedZone',
  noun: 'hosted zone',
  async find({ props }, aws) {
    const zone = await findZone(props, aws);
    if (zone !== undefined) {
      const id = bareId(zone.Id);
      return { id, arn: `arn:${partitionOf(aws.region)}:route53:::hostedzone/${id}` };
    }
    throw new PermanentError({
      what: `find the hosted zone ${props.zone}`,
      why: `Route53 has no ${props.private ? 'private' : 'public'} zone of that name in this account`,
      next: `create it (aws route53 create-hosted-zone), or set spec.topology.dns.type to None, or give the cluster a name that ends in .k8s.local`,
    });
  },
  wanted: () => ({}),
  present: () => ({}),
  create: async () => {},
  outputs: ({ id, arn }) => ({ id, arn }),
});

export const hostedZoneAssociationHandler = resourceHandler<'aws/HostedZoneAssociation', VPC>({
  kind: 'aws/HostedZoneAssociation',
  noun: 'hosted zone of the VPC',
  within: ['zone', 'vpc'],
  async find({ props }, aws) {
    const { VPCs = [] } = await aws.route53.send(new GetHostedZoneCommand({ Id: props.zone }));
    return VPCs.find(({ VPCId }) => VPCId === props.vpc);
  },
  wanted: () => ({}),
  present: () => ({}),
  async create({ props }, aws) {
    await aws.route53.send(
      new AssociateVPCWithHostedZoneCommand({
        HostedZoneId: props.zone,
        // The SDK lists the regions of its release; AWS knows them all.
        VPC: { VPCId: props.vpc, VPCRegion: aws.region as NonNullable<VPC['VPCRegion']> },
      }),
    );
  },
});

export const dnsRecordHandler = resourceHandler<'aws/DnsRecord', ResourceRecordSet>({
  kind: 'aws/DnsRecord',
  noun: 'DNS record',
  async find({ props }, aws) {
    const { ResourceRecordSets: [record] = [] } = await aws.route53.send(
      new ListResourceRecordSetsCommand({
        HostedZoneId: props.zone,
        StartRecordName: props.name,
        StartRecordType: props.type,
        MaxItems: 1,
      }),
    );
    return record !== undefined && absolute(record.Name ?? '') === absolute(props.name) && record.Type === props.type
      ? record
      : undefined;
  },
  wanted: ({ alias }) => ({ alias: absolute(alias.name), aliasZone: alias.zoneId }),
  present: ({ AliasTarget, ResourceRecords = [] }) =>
    AliasTarget === undefined
      ? { records: ResourceRecords.map(({ Value = '' }) => Value) }
      : { alias: absolute(AliasTarget.DNSName ?? ''), aliasZone: AliasTarget.HostedZoneId ?? '' },
  create: ({ props }, aws) => upsert(props, aws),
  update: ({ props }, _found, _changes, aws) => upsert(props, aws),
  /** Records have no tags, so the records of the cluster are recognised by name. */
  async owned(aws) {
    if (!aws.everything) return [];
    const records = await Promise.all((await zonesAbove(aws)).map(async (zone) => clusterRecords(aws, zone)));
    return records.flat().map(({ zone, record }) => ({
      name: `${record.Name ?? ''} ${record.Type ?? ''}`,
      description: `DNS record ${record.Name ?? ''} ${record.Type ?? ''}`,
      handle: JSON.stringify({ zone, record }),
    }));
  },
  async remove({ handle }, aws) {
    // Written by `owned` in the same run.
    const { zone, record }: { zone: string; record: ResourceRecordSet } = JSON.parse(handle);
    await aws.route53.send(
      new ChangeResourceRecordSetsCommand({
        HostedZoneId: zone,
        ChangeBatch: { Changes: [{ Action: 'DELETE', ResourceRecordSet: record }] },
      }),
    );
  },
});

async function upsert({ zone, name, type, alias }: PropsOf<'aws/DnsRecord'>, aws: AwsCloud): Promise<void> {
  await aws.route53.send(
    new ChangeResourceRecordSetsCommand({
      HostedZoneId: zone,
      ChangeBatch: {
        Changes: [
          {
            Action: 'UPSERT',
            ResourceRecordSet: {
              Name: name,
              Type: type,
              AliasTarget: { DNSName: alias.name, HostedZoneId: alias.zoneId, EvaluateTargetHealth: false },
            },
          },
        ],
      },
    }),
  );
}

/** The zones that may contain names of the cluster. */
async function zonesAbove({ route53, clusterName }: AwsCloud): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const page of paginateListHostedZones({ client: route53 }, {})) {
    for (const { Id, Name = '' } of page.HostedZones ?? []) {
      if (`.${absolute(clusterName)}`.endsWith(`.${absolute(Name)}`)) ids.push(bareId(Id));
    }
  }
  return ids;
}

/** The names of the cluster and its machines (kops pkg/resources/aws: Route53 records). */
const RECORDS = /^(?:api|bastion|api\.internal|kops-controller\.internal|etcd-[a-z0-9-]+\.internal)$/;

/** Records with those names, and records that the cluster's machines marked as their own, with the marks. */
async function clusterRecords(
  { route53, clusterName }: AwsCloud,
  zone: string,
): Promise<readonly { readonly zone: string; readonly record: ResourceRecordSet }[]> {
  const records = await listRecordSets(route53, zone);
  const suffix = `.${absolute(clusterName)}`;
  const isOwn = ownSets(clusterName, records.map(observeRecordSet));
  return records
    .filter((record) => {
      const name = absolute(record.Name ?? '');
      return isOwn(observeRecordSet(record)) || (name.endsWith(suffix) && RECORDS.test(name.slice(0, -suffix.length)));
    })
    .map((record) => ({ zone, record }));
}
