import { AnswerFields } from '@kopsctl/google/answer-fields.ts';

/** https://cloud.google.com/dns/docs/reference/rest/v1, the fields that are used. */
export interface ManagedZone {
  readonly name: string;
  readonly dnsName: string;
  readonly isPrivate: boolean;
  /** The URLs of the networks that see a private zone. */
  readonly networks: readonly string[];
}

export interface ResourceRecordSet {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly rrdatas: readonly string[];
  readonly hasRoutingPolicy: boolean;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Undefined on the last page. */
  readonly nextPageToken: string | undefined;
}

/** Parses one page of a list. Throws an Error that names the field if the answer does not have the documented form. */
export function parsePage<Item>(answer: unknown, field: string, parse: (item: AnswerFields) => Item): Page<Item> {
  const fields = new AnswerFields(answer, 'Cloud DNS');
  const nextPageToken = fields.text('nextPageToken', '');
  return { items: fields.list(field).map(parse), nextPageToken: nextPageToken === '' ? undefined : nextPageToken };
}

export function parseManagedZone(zone: AnswerFields): ManagedZone {
  return {
    name: zone.text('name'),
    dnsName: zone.text('dnsName'),
    isPrivate: zone.text('visibility', 'public') === 'private',
    networks: zone.has('privateVisibilityConfig')
      ? zone
          .object('privateVisibilityConfig')
          .list('networks')
          .map((network) => network.text('networkUrl', ''))
      : [],
  };
}

export function parseResourceRecordSet(set: AnswerFields): ResourceRecordSet {
  return {
    name: set.text('name'),
    type: set.text('type'),
    ttl: set.count('ttl'),
    rrdatas: set.texts('rrdatas'),
    hasRoutingPolicy: set.has('routingPolicy'),
  };
}
