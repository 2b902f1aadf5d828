import {
  ChangeResourceRecordSetsCommand,
  InvalidChangeBatch,
  ListResourceRecordSetsCommand,
  paginateListHostedZones,
  type Change,
  type ListResourceRecordSetsCommandInput,
  type ListResourceRecordSetsResponse,
  type ResourceRecordSet,
  type Route53Client,
} from '@aws-sdk/client-route-53';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { batches } from '../batches.ts';
import { DnsConflictError } from '../dns-conflict.ts';
import { findZones } from '../find-zones.ts';
import {
  canonicalName,
  type DnsProvider,
  type NameChange,
  type ObservedRecordSet,
  type RecordSet,
  type Zone,
} from '../zone.ts';

export interface Route53Options {
  readonly client: Route53Client;
  /** The names or ids of hosted zones. */
  readonly zones: readonly string[];
  /** Whether zones given by name are private ones. An id distinguishes private zones with the same name. */
  readonly isPrivate: boolean;
}

/** The limits of one ChangeResourceRecordSets request: 1,000 changes, and 32,000 characters in all values. */
const LIMITS = { maxCount: 1000, maxSize: 32_000 };

/**
 * Hosted zones of AWS. A set is replaced by deleting exactly the old one and creating the new one in one batch, which
 * Route53 applies completely or not at all. Its UPSERT would overwrite any existing set.
 */
export function route53Zones({ client, zones: configured, isPrivate }: Route53Options): DnsProvider {
  return {
    async zones() {
      return findZones(
        await hostedZones(client, isPrivate, configured),
        configured,
        `${isPrivate ? 'private' : 'public'} hosted zones`,
      );
    },

    async list(zone) {
      return (await listRecordSets(client, zone.id)).map(observeRecordSet);
    },

    async change(zone, changes) {
      const measure = ({ sets }: NameChange) => {
        const requests = sets.flatMap(requestsFor);
        return { count: requests.length, size: requests.reduce((sum, request) => sum + valueLength(request), 0) };
      };
      for (const batch of batches(changes, LIMITS, measure)) {
        await send(client, zone, batch.flatMap(({ sets }) => sets).flatMap(requestsFor));
      }
    },
  };
}

/** Lists all sets of a hosted zone. */
export async function listRecordSets(client: Route53Client, zoneId: string): Promise<readonly ResourceRecordSet[]> {
  const sets: ResourceRecordSet[] = [];
  let from: Partial<ListResourceRecordSetsCommandInput> | undefined = {};
  while (from !== undefined) {
    const command = new ListResourceRecordSetsCommand({ HostedZoneId: zoneId, ...from });
    const page: ListResourceRecordSetsResponse = await client.send(command);
    sets.push(...(page.ResourceRecordSets ?? []));
    from = startOfNext(page);
  }
  return sets;
}

function startOfNext(page: ListResourceRecordSetsResponse): Partial<ListResourceRecordSetsCommandInput> | undefined {
  if (page.IsTruncated !== true) return undefined;
  return {
    StartRecordName: page.NextRecordName,
    StartRecordType: page.NextRecordType,
    StartRecordIdentifier: page.NextRecordIdentifier,
  };
}

/**
 * The private or the public zones of an account, and all zones given by id. The VPC of a private zone is not checked,
 * because kops's machine roles are allowed to list zones and no more.
 */
async function hostedZones(
  client: Route53Client,
  isPrivate: boolean,
  configured: readonly string[],
): Promise<readonly Zone[]> {
  const zones: Zone[] = [];
  for await (const page of paginateListHostedZones({ client }, {})) {
    for (const { Id, Name, Config } of page.HostedZones ?? []) {
      const zone = zoneOf(Id, Name);
      if ((Config?.PrivateZone === true) === isPrivate || configured.includes(zone.id)) zones.push(zone);
    }
  }
  return zones;
}

function zoneOf(id = '', name = ''): Zone {
  return { id: id.replace(/^\/hostedzone\//, ''), name: plainName(name) };
}

/** Route53 writes characters other than letters, digits, `-`, `_` and `.` as `\` and three octal digits. */
function plainName(name: string): string {
  return canonicalName(name.replace(/\\052/g, '*'));
}

/** Converts a set of Route53. */
export function observeRecordSet(set: ResourceRecordSet): ObservedRecordSet {
  const { Name = '', Type = '', TTL = 0, ResourceRecords = [], AliasTarget, SetIdentifier } = set;
  const values = ResourceRecords.map(({ Value = '' }) => Value);
  const seen = { name: plainName(Name), type: Type, ttlSeconds: TTL, values };
  if (AliasTarget !== undefined) return { ...seen, opaque: `an alias of ${AliasTarget.DNSName ?? 'a resource'}` };
  return SetIdentifier === undefined ? seen : { ...seen, opaque: `the part ${SetIdentifier} of a routing policy` };
}

function requestsFor({
  before,
  after,
}: {
  readonly before?: RecordSet;
  readonly after?: RecordSet;
}): readonly Change[] {
  return [
    ...(before === undefined ? [] : [{ Action: 'DELETE' as const, ResourceRecordSet: recordSet(before) }]),
    ...(after === undefined ? [] : [{ Action: 'CREATE' as const, ResourceRecordSet: recordSet(after) }]),
  ];
}

function recordSet({ name, type, ttlSeconds, values }: RecordSet): ResourceRecordSet {
  return { Name: `${name}.`, Type: type, TTL: ttlSeconds, ResourceRecords: values.map((Value) => ({ Value })) };
}

function valueLength({ ResourceRecordSet: set }: Change): number {
  return (set?.ResourceRecords ?? []).reduce((sum, { Value = '' }) => sum + Value.length, 0);
}

async function send(client: Route53Client, zone: Zone, requests: readonly Change[]): Promise<void> {
  try {
    const ChangeBatch = { Changes: [...requests] };
    await client.send(new ChangeResourceRecordSetsCommand({ HostedZoneId: zone.id, ChangeBatch }));
  } catch (thrown) {
    throw explain(zone, thrown);
  }
}

/** The messages of Route53 about a set that is not as the batch expects it. */
const CONFLICT = /already exists|not found|do not match the current values|conflicts with other records/;

function explain(zone: Zone, thrown: unknown): Error {
  const messages = thrown instanceof InvalidChangeBatch ? (thrown.messages ?? []) : [];
  const why = [messageOf(thrown), ...messages].join('; ');
  if (thrown instanceof InvalidChangeBatch && CONFLICT.test(why)) return new DnsConflictError(zone.name, why, thrown);
  return new ActionableError({
    what: `change the hosted zone ${zone.name} (${zone.id})`,
    why,
    next: `check that the machine's role allows route53:ChangeResourceRecordSets and route53:ListResourceRecordSets on it`,
    cause: thrown,
  });
}
