import { expect, test } from 'vitest';
import { parseManagedZone, parsePage, parseResourceRecordSet } from './parse-answer.ts';

test('an empty list has no items, as Google leaves out empty fields', () => {
  expect(parsePage({ kind: 'dns#resourceRecordSetsListResponse' }, 'rrsets', parseResourceRecordSet)).toEqual({
    items: [],
    nextPageToken: undefined,
  });
});

test('a private zone is parsed with its networks', () => {
  const networks = [{ kind: 'network', networkUrl: 'https://example.com/networks/prod' }];
  const zone = { name: 'inside', dnsName: 'a.', visibility: 'private', privateVisibilityConfig: { networks } };
  expect(parsePage({ managedZones: [zone], nextPageToken: 'more' }, 'managedZones', parseManagedZone)).toEqual({
    items: [{ name: 'inside', dnsName: 'a.', isPrivate: true, networks: ['https://example.com/networks/prod'] }],
    nextPageToken: 'more',
  });
});

test.each([
  ['<html>', 'the answer is not an object'],
  [{ rrsets: {} }, 'the answer.rrsets is not a list'],
  [{ rrsets: [null] }, 'the answer.rrsets[0] is not an object'],
  [{ rrsets: [{ name: 'a.', type: 1 }] }, 'the answer.rrsets[0].type is not text'],
  [{ rrsets: [{ name: 'a.', type: 'A', ttl: '60' }] }, 'the answer.rrsets[0].ttl is not a number'],
  [{ rrsets: [{ name: 'a.', type: 'A', rrdatas: [7] }] }, 'the answer.rrsets[0].rrdatas[0] is not text'],
  [{ nextPageToken: 5 }, 'the answer.nextPageToken is not text'],
])('the answer %j is refused with the name of the field', (answer, why) => {
  expect(() => parsePage(answer, 'rrsets', parseResourceRecordSet)).toThrow(why);
});
