import { describe, expect, test } from 'vitest';
import { markName, markValue, ownerOfCluster } from './owner-mark.ts';
import { planRecords, planRemoval } from './plan-records.ts';
import type { ObservedRecordSet, RecordSet } from './zone.ts';

const cluster = 'demo.example.com';
const owner = ownerOfCluster(cluster);
const api = `api.${cluster}`;
const etcd = `etcd-a.internal.${cluster}`;

const a = (name: string, ...values: string[]): RecordSet => ({ name, type: 'A', ttlSeconds: 60, values });
const txt = (name: string, text: string): RecordSet => ({ name, type: 'TXT', ttlSeconds: 300, values: [`"${text}"`] });
const own = (set: RecordSet): RecordSet => ({
  ...txt(markName(owner, set.name, set.type), ''),
  values: [markValue(owner)],
});

function plan(there: readonly ObservedRecordSet[], wanted: readonly RecordSet[], zones = ['example.com']) {
  const contents = zones.map((name, index) => ({ zone: { id: `${index}`, name }, sets: index === 0 ? there : [] }));
  const { zones: planned, blocked } = planRecords(contents, { clusterName: cluster, owner, wanted });
  return {
    would: planned.flatMap(({ zone, changes }) => changes.map(({ summary }) => `${zone.name}: ${summary}`)),
    blocked: blocked.map(({ name, type, why }) => `${type} ${name}: ${why}`),
    sets: planned.flatMap(({ changes }) => changes.flatMap(({ sets }) => sets)),
  };
}

describe('a cluster that moves over from kops', () => {
  test('takes ownership of the records that kops left, with their values', () => {
    const there = [a(api, '192.0.2.1')];
    expect(plan(there, [a(api, '192.0.2.1')])).toEqual({
      would: [`example.com: own A ${api} = 192.0.2.1`],
      blocked: [],
      sets: [{ after: own(a(api, '')) }],
    });
  });

  test('replaces the placeholder by the addresses', () => {
    const { would } = plan([{ ...a(api, '203.0.113.123'), ttlSeconds: 10 }], [a(api, '192.0.2.1')]);
    expect(would).toEqual([`example.com: change A ${api} from 203.0.113.123 to 192.0.2.1`]);
  });

  test('deletes the names of removed members', () => {
    expect(plan([a(etcd, '10.0.0.1')], []).would).toEqual([`example.com: delete A ${etcd} (10.0.0.1)`]);
  });

  test('keeps the names of the API if they are not wanted: they belong to the load balancer', () => {
    expect(plan([a(api, '192.0.2.1')], []).would).toEqual([]);
  });

  test('does not touch the names of another cluster in the same zone', () => {
    const other = 'etcd-a.internal.other.example.com';
    expect(plan([a(other, '10.0.0.1')], []).would).toEqual([]);
    expect(plan([a(`etcd-a.internal.sub.${cluster}`, '10.0.0.1')], []).would).toEqual([]);
  });

  test.each([api, `a-${api}`])('does not take over a name that external-dns manages for another owner (%s)', (mark) => {
    const there = [a(api, '192.0.2.9'), txt(mark, 'heritage=external-dns,external-dns/owner=theirs')];
    const { would, blocked } = plan(there, [a(api, '192.0.2.1')]);
    expect(would).toEqual([]);
    expect(blocked).toEqual([
      `A ${api}: there is a record of type A at ${api} that this cluster did not create (192.0.2.9)`,
    ]);
  });

  test('never takes over an alias', () => {
    const there = [{ ...a(api), opaque: 'an alias of lb.example.net' }];
    expect(plan(there, [a(api, '192.0.2.1')]).blocked).toEqual([
      `A ${api}: there is a record of type A at ${api} that this cluster did not create (an alias of lb.example.net)`,
    ]);
  });
});

describe('a name whose addresses are not known', () => {
  test('is created with the placeholder of kops', () => {
    const { would, sets } = plan([], [a(api)]);
    expect(would).toEqual([`example.com: create A ${api} = 203.0.113.123`]);
    expect(sets[0]).toEqual({ after: { ...a(api, '203.0.113.123'), ttlSeconds: 10 } });
  });

  test('keeps its current addresses', () => {
    const there = a(api, '192.0.2.1');
    expect(plan([there, own(there)], [a(api)]).would).toEqual([]);
  });
});

test('each name goes into the zone with the longest matching name, and names without a zone are reported', () => {
  const { would, blocked } = plan(
    [],
    [a(api, '192.0.2.1'), a('www.example.com', '192.0.2.1'), a('example.net', '192.0.2.1')],
    ['example.com', cluster],
  );
  expect(would).toEqual([
    `${cluster}: create A ${api} = 192.0.2.1`,
    'example.com: create A www.example.com = 192.0.2.1',
  ]);
  expect(blocked).toEqual(['A example.net: the name must be in exactly one of the configured zones']);
});

test('a name that matches two zones with the same name is reported', () => {
  const { would, blocked } = plan([], [a(api, '192.0.2.1')], ['example.com', 'example.com']);
  expect(would).toEqual([]);
  expect(blocked).toHaveLength(1);
});

test('names below a delegation are reported, because resolvers would never see them', () => {
  const there = [{ name: cluster, type: 'NS', ttlSeconds: 60, values: [] }];
  expect(plan(there, [a(api, '192.0.2.1')]).blocked).toEqual([
    `A ${api}: example.com delegates ${cluster} to other name servers`,
  ]);
});

test('the ownership record of a wildcard has no asterisk, and does not mark the name that looks like it', () => {
  const wildcard = a('*.apps.example.com', '192.0.2.1');
  const lookalike = a('_wildcard.apps.example.com', '192.0.2.2');
  expect(own(wildcard).name).toBe('kops-a._wildcard.apps.example.com');
  expect(plan([wildcard, own(wildcard), lookalike], [wildcard]).would).toEqual([]);
  expect(plan([wildcard, own(wildcard), lookalike], []).would).toEqual([
    'example.com: delete A *.apps.example.com (192.0.2.1)',
  ]);
  expect(plan([], [lookalike]).blocked).toHaveLength(1);
});

test('an ownership record written by external-dns is kept as it is', () => {
  const there = a('www.example.com', '192.0.2.1');
  const theirs = txt(
    'kops-a.www.example.com',
    `heritage=external-dns,external-dns/owner=${owner.id},external-dns/resource=service/default/www`,
  );
  expect(plan([there, theirs], [there]).would).toEqual([]);
});

test('a name that becomes a CNAME loses its address first, in the same change', () => {
  const before = a('www.example.com', '192.0.2.1');
  const after: RecordSet = { name: 'www.example.com', type: 'CNAME', ttlSeconds: 60, values: ['lb.example.net'] };
  expect(plan([before, own(before)], [after]).sets).toEqual([
    { before },
    { before: own(before) },
    { after },
    { after: own(after) },
  ]);
});

describe('a cluster that is deleted', () => {
  const removed = (...there: readonly ObservedRecordSet[]) =>
    planRemoval([{ zone: { id: '0', name: 'example.com' }, sets: there }], cluster).flatMap(({ changes }) => changes);

  test('takes its names along, each with the marks of its owner, and those of the API that kops left', () => {
    const named = a(`www.${cluster}`, '192.0.2.7');
    const changes = removed(a(api, '192.0.2.1'), a(etcd, '10.0.0.1'), named, own(named));
    expect(changes.map(({ name, sets }) => [name, sets])).toEqual([
      [api, [{ before: a(api, '192.0.2.1') }]],
      [etcd, [{ before: a(etcd, '10.0.0.1') }]],
      [named.name, [{ before: named }, { before: own(named) }]],
    ]);
  });

  test('leaves the names of others', () => {
    const theirs = [a(api, '192.0.2.9'), txt(`a-${api}`, 'heritage=external-dns,external-dns/owner=theirs')];
    expect(
      removed(...theirs, a('www.example.com', '192.0.2.8'), a('etcd-a.internal.other.example.com', '10.0.0.9')),
    ).toEqual([]);
  });

  test('forgets a name whose mark alone is left', () => {
    expect(removed(own(a(etcd, ''))).map(({ summary }) => summary)).toEqual([`forget A ${etcd}`]);
  });
});
