import { InvalidChangeBatch, Route53Client, type ChangeResourceRecordSetsCommandInput } from '@aws-sdk/client-route-53';
import { expect, test } from 'vitest';
import { DnsConflictError } from '../dns-conflict.ts';
import type { NameChange, RecordSet } from '../zone.ts';
import { route53Zones } from './route53-zones.ts';

const zone = { id: 'Z1', name: 'example.com' };
const a = (name: string, value: string): RecordSet => ({ name, type: 'A', ttlSeconds: 60, values: [value] });

/** A client without a network: `answer` answers each request. */
function clientWith(answer: (input: unknown) => object): Route53Client {
  const client = new Route53Client({ region: 'us-east-1', credentials: { accessKeyId: 'x', secretAccessKey: 'x' } });
  client.middlewareStack.add(
    () => (args) => Promise.resolve({ output: { $metadata: {}, ...answer(args.input) }, response: {} }),
    { step: 'initialize' },
  );
  return client;
}

test('a set is replaced by deleting exactly the old one and creating the new one in one batch', async () => {
  const inputs: unknown[] = [];
  const client = clientWith((input) => (inputs.push(input), {}));
  const change = {
    name: 'a.example.com',
    summary: '',
    sets: [{ before: a('a.example.com', '10.0.0.1'), after: a('a.example.com', '10.0.0.2') }],
  };
  await route53Zones({ client, zones: ['Z1'], isPrivate: false }).change(zone, [change]);
  const set = (Value: string) => ({ Name: 'a.example.com.', Type: 'A', TTL: 60, ResourceRecords: [{ Value }] });
  expect(inputs).toEqual([
    {
      HostedZoneId: 'Z1',
      ChangeBatch: {
        Changes: [
          { Action: 'DELETE', ResourceRecordSet: set('10.0.0.1') },
          { Action: 'CREATE', ResourceRecordSet: set('10.0.0.2') },
        ],
      },
    },
  ]);
});

test('no batch exceeds the limits of Route53, and no name is divided', async () => {
  const batches: string[][] = [];
  const client = clientWith((input) => {
    // The client passes the input of the command that the code under test sends.
    const { ChangeBatch } = input as ChangeResourceRecordSetsCommandInput;
    batches.push((ChangeBatch?.Changes ?? []).map((change) => change.ResourceRecordSet?.Name ?? ''));
    return {};
  });
  const changes: NameChange[] = Array.from({ length: 901 }, (_, index) => {
    const name = `n${index}.example.com`;
    return {
      name,
      summary: '',
      sets: [
        { before: a(name, '10.0.0.1'), after: a(name, '10.0.0.2') },
        { after: { ...a(name, '"x"'), type: 'TXT' } },
      ],
    };
  });
  await route53Zones({ client, zones: ['Z1'], isPrivate: false }).change(zone, changes);
  expect(batches.map((names) => names.length)).toEqual([999, 999, 705]);
  expect(batches.map((names) => new Set(names).size)).toEqual([333, 333, 235]);
});

test('a change by another writer is a conflict, a denied permission is not', async () => {
  const failing = (thrown: Error) =>
    route53Zones({
      client: clientWith(() => {
        throw thrown;
      }),
      zones: ['Z1'],
      isPrivate: false,
    }).change(zone, [{ name: 'a.example.com', summary: '', sets: [{ after: a('a.example.com', '10.0.0.1') }] }]);
  const message = "Tried to create resource record set [name='a.example.com.', type='A'] but it already exists";
  await expect(failing(new InvalidChangeBatch({ message, messages: [message], $metadata: {} }))).rejects.toThrow(
    DnsConflictError,
  );
  await expect(failing(new Error('AccessDenied'))).rejects.toMatchObject({ name: 'ActionableError' });
});

test('aliases and routing policies are listed and marked as unmanageable', async () => {
  const client = clientWith(() => ({
    IsTruncated: false,
    ResourceRecordSets: [
      { Name: 'api.example.com.', Type: 'A', AliasTarget: { DNSName: 'lb.example.net.' } },
      { Name: '\\052.example.com.', Type: 'A', TTL: 60, ResourceRecords: [{ Value: '10.0.0.1' }] },
      { Name: 'w.example.com.', Type: 'A', TTL: 60, SetIdentifier: 'eu', ResourceRecords: [{ Value: '10.0.0.1' }] },
    ],
  }));
  expect(await route53Zones({ client, zones: ['Z1'], isPrivate: false }).list(zone)).toMatchObject([
    { name: 'api.example.com', opaque: 'an alias of lb.example.net.' },
    { name: '*.example.com', values: ['10.0.0.1'] },
    { name: 'w.example.com', opaque: 'the part eu of a routing policy' },
  ]);
});
