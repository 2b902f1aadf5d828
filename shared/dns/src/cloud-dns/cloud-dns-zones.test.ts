import type { GoogleRequest } from '@kopsctl/google/google-api.ts';
import { refusalOf } from '@kopsctl/google/google-refusal.ts';
import { expect, test } from 'vitest';
import { DnsConflictError } from '../dns-conflict.ts';
import type { NameChange, RecordSet } from '../zone.ts';
import { cloudDnsZones } from './cloud-dns-zones.ts';

const ROOT = 'https://dns.googleapis.com/dns/v1/projects/acme/managedZones';
const zone = { id: 'example-com', name: 'example.com' };
const a = (value: string): RecordSet => ({ name: 'api.example.com', type: 'A', ttlSeconds: 60, values: [value] });

/** Answers of Google's REST API, by method and URL. */
function google(replies: Readonly<Record<string, object>>) {
  const requests: GoogleRequest[] = [];
  const api = {
    call: async (request: GoogleRequest): Promise<unknown> => {
      requests.push(request);
      const reply = replies[`${request.method} ${request.url}`];
      if (reply === undefined) throw new Error(`unexpected request ${request.method} ${request.url}`);
      if (reply instanceof Error) throw reply;
      return reply;
    },
  };
  return { requests, env: { api, signal: new AbortController().signal } };
}

const refusal = (status: number, reason: string, message: string) =>
  refusalOf(
    'POST /changes',
    status,
    JSON.stringify({ error: { code: status, message, errors: [{ message, domain: 'global', reason }] } }),
  );

const network = (name: string) => ({
  kind: 'dns#managedZonePrivateVisibilityConfigNetwork',
  networkUrl: `https://www.googleapis.com/compute/v1/projects/acme/global/networks/${name}`,
});

const managedZones = {
  [`GET ${ROOT}`]: {
    kind: 'dns#managedZonesListResponse',
    managedZones: [
      { kind: 'dns#managedZone', id: '1', name: 'example-com', dnsName: 'example.com.', visibility: 'public' },
      {
        name: 'inside',
        dnsName: 'example.com.',
        visibility: 'private',
        privateVisibilityConfig: { networks: [network('prod')] },
      },
    ],
    nextPageToken: 'more=',
  },
  [`GET ${ROOT}?pageToken=more%3D`]: {
    managedZones: [
      {
        name: 'other',
        dnsName: 'example.com.',
        visibility: 'private',
        privateVisibilityConfig: { networks: [network('test')] },
      },
    ],
  },
};

test('public and private zones with one name are distinguished, on all pages', async () => {
  const { env } = google(managedZones);
  const options = { project: 'acme', zones: ['example.com'] };
  expect(await cloudDnsZones(options, env).zones()).toEqual([{ id: 'example-com', name: 'example.com' }]);
  expect(await cloudDnsZones({ ...options, network: 'test' }, env).zones()).toEqual([
    { id: 'other', name: 'example.com' },
  ]);
});

test('sets are listed unchanged, and a routing policy is marked as unmanageable', async () => {
  const { env } = google({
    [`GET ${ROOT}/example-com/rrsets`]: {
      kind: 'dns#resourceRecordSetsListResponse',
      rrsets: [
        {
          kind: 'dns#resourceRecordSet',
          name: 'api.example.com.',
          type: 'A',
          ttl: 60,
          rrdatas: ['10.0.0.1'],
          signatureRrdatas: [],
        },
        { name: 'w.example.com.', type: 'A', ttl: 60, routingPolicy: { wrr: { items: [] } } },
      ],
    },
  });
  expect(await cloudDnsZones({ project: 'acme', zones: [] }, env).list(zone)).toEqual([
    a('10.0.0.1'),
    { name: 'w.example.com', type: 'A', ttlSeconds: 60, values: [], opaque: 'a routing policy' },
  ]);
});

const url = `${ROOT}/example-com/changes`;
const replace: NameChange = {
  name: 'api.example.com',
  summary: '',
  sets: [{ before: a('10.0.0.1'), after: a('10.0.0.2') }],
};

test('a change deletes exactly the old set and adds the new one', async () => {
  const { env, requests } = google({ [`POST ${url}`]: { kind: 'dns#change', id: '7', status: 'pending' } });
  await cloudDnsZones({ project: 'acme', zones: [] }, env).change(zone, [replace]);
  const set = (value: string) => ({ name: 'api.example.com.', type: 'A', ttl: 60, rrdatas: [value] });
  expect(requests.map(({ body }) => body)).toEqual([{ additions: [set('10.0.0.2')], deletions: [set('10.0.0.1')] }]);
});

test.each([
  [412, 'conditionNotMet', "Precondition not met for 'entity.change.deletions[0]'"],
  [404, 'notFound', "The 'entity.change.deletions[0]' resource named 'api.example.com. (A)' does not exist."],
  [409, 'alreadyExists', "The resource 'entity.change.additions[0]' named 'api.example.com. (A)' already exists"],
])('an answer %i means a conflict with another writer', async (status, reason, message) => {
  const { env } = google({ [`POST ${url}`]: refusal(status, reason, message) });
  await expect(cloudDnsZones({ project: 'acme', zones: [] }, env).change(zone, [replace])).rejects.toThrow(
    DnsConflictError,
  );
});

test('a deleted zone is not a conflict', async () => {
  const { env } = google({
    [`POST ${url}`]: refusal(404, 'notFound', "The 'parameters.managedZone' resource named 'x' does not exist."),
  });
  await expect(cloudDnsZones({ project: 'acme', zones: [] }, env).change(zone, [replace])).rejects.toMatchObject({
    name: 'ActionableError',
  });
});

test('an error about a missing permission names the role that has it', async () => {
  const { env } = google({ [`POST ${url}`]: refusal(403, 'forbidden', 'Forbidden') });
  await expect(cloudDnsZones({ project: 'acme', zones: [] }, env).change(zone, [replace])).rejects.toMatchObject({
    message: 'cannot change the DNS zone example.com: Google answered 403: Forbidden',
    next: expect.stringContaining('roles/dns.admin'),
  });
});
