import { beforeAll, describe, expect, it } from 'vitest';
import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { issueLeaf } from '@kopsctl/pki/issue.ts';
import { trustedCertificates, type Keyset } from '@kopsctl/pki/keyset.ts';
import { Refusal } from '../../wire/refusal.ts';
import { decodeRecord, encodeRecord, encodeSignedRecord } from '../record-codec.ts';
import type { DnsName, GossipRecord } from '../record.ts';
import { RECORD_SETTINGS } from '../record-map.ts';
import { ReplicatedRecords } from '../replicated-records.ts';
import { type RecordIdentity, RecordSigner } from './record-signer.ts';
import { SIGNED_FOR_MS, type SignedRecord } from './signed-record.ts';
import { SignedRecords } from './signed-records.ts';

const NOW_MS = Date.UTC(2026, 10, 22);
const LABEL = 'demo.k8s.local';
const API = 'api.internal.demo.k8s.local';
const MINUTE_MS = 60_000;

let authority: Keyset;
let authoritiesPem: string;
let identities: Record<'cp-1' | 'cp-2' | 'worker', RecordIdentity>;

const certify = (by: Keyset, commonName: string, address: string, role: string) =>
  issueLeaf({
    authority: by,
    commonName,
    organizations: [role],
    ipAddresses: [address],
    usages: ['client'],
    validityDays: 455,
    nowMs: NOW_MS,
  });

beforeAll(async () => {
  authority = await createCertificateAuthority({ commonName: 'gossip-records-ca', nowMs: NOW_MS });
  const other = await createCertificateAuthority({ commonName: 'gossip-records-ca', nowMs: NOW_MS });
  authoritiesPem = trustedCertificates(authority);
  identities = {
    'cp-1': await certify(authority, 'cp-1', '10.0.0.1', 'ControlPlane'),
    'cp-2': await certify(authority, 'cp-2', '10.0.0.2', 'ControlPlane'),
    worker: await certify(other, 'cp-1', '6.6.6.6', 'ControlPlane'),
  };
});

const api = (...addresses: string[]): DnsName => ({ name: API, type: 'A', addresses });
const owner = (name: 'cp-1' | 'cp-2'): SignedRecords =>
  new SignedRecords(name, LABEL, { authoritiesPem, identity: identities[name] });
const reader = (): SignedRecords => new SignedRecords('reader', LABEL, { authoritiesPem });
const shown = (records: SignedRecords, nowMs: number): string[] =>
  records.known.inForce(nowMs).map(({ record, roles }) => `${record.owner} ${record.addresses.join()} ${roles.join()}`);
/** What arrives by the network. */
function read(signed: SignedRecord | undefined): SignedRecord {
  const decoded = signed && decodeRecord(encodeSignedRecord(signed));
  if (decoded === undefined || decoded instanceof Refusal || !('signature' in decoded)) throw new Error('not readable');
  return decoded;
}
const from = { by: 'packet', address: '10.0.0.7' } as const;
const tell = (to: SignedRecords, signed: readonly SignedRecord[], nowMs: number) =>
  to.take(signed.map(read), from, nowMs);
const record = (change: Partial<GossipRecord>): GossipRecord => ({
  name: API,
  type: 'A',
  owner: 'cp-1',
  addresses: ['10.0.0.1'],
  stamp: {
    ms: NOW_MS,
    count: 0,
  },
  isDeleted: false,
  ...change,
});
const signedBy = (identity: RecordIdentity, change: Partial<GossipRecord>, label = LABEL): SignedRecord =>
  new RecordSigner(identity, label).sign(record(change));

describe('a signed record', () => {
  it('fits a packet beside others, however long its names are', () => {
    const usual = encodeSignedRecord(signedBy(identities['cp-1'], {}));
    expect(usual.length).toBeLessThan(720);
    const longest = signedBy(identities['cp-1'], { name: 'a'.repeat(253), owner: 'b'.repeat(128) });
    expect(encodeSignedRecord(longest).length).toBeLessThan(1200);
  });

  it('counts with the roles of its key, once it is verified', () => {
    const here = reader();
    expect(tell(here, owner('cp-1').publish([api('10.0.0.1')], NOW_MS), NOW_MS).fresh).toHaveLength(1);
    expect(shown(here, NOW_MS)).toEqual(['cp-1 10.0.0.1 ControlPlane']);
  });

  it.each([
    ['of another authority', () => signedBy(identities.worker, { addresses: ['6.6.6.6'] })],
    ['of another owner', () => signedBy(identities['cp-2'], {})],
    ['with an address that is not certified', () => signedBy(identities['cp-1'], { addresses: ['6.6.6.6'] })],
    ['of another cluster', () => signedBy(identities['cp-1'], {}, 'other.k8s.local')],
    [
      'that was changed',
      () => ({
        ...signedBy(identities['cp-1'], {}),
        body: signedBy(identities['cp-1'], { stamp: { ms: NOW_MS, count: 7 } }).body,
      }),
    ],
    ['dated far ahead', () => signedBy(identities['cp-1'], { stamp: { ms: NOW_MS + 6 * MINUTE_MS, count: 0 } })],
    ['that has expired', () => signedBy(identities['cp-1'], { stamp: { ms: NOW_MS - SIGNED_FOR_MS, count: 0 } })],
    [
      'without a readable certificate',
      () => ({ ...signedBy(identities['cp-1'], {}), certificate: new Uint8Array(480) }),
    ],
    [
      'whose certificate has bytes behind it',
      () => {
        const signed = signedBy(identities['cp-1'], {});
        return { ...signed, certificate: Buffer.concat([signed.certificate, Buffer.of(0)]) };
      },
    ],
  ])('%s does not count', (_, make) => {
    const here = reader();
    expect(tell(here, [make()], NOW_MS).fresh).toEqual([]);
    expect(shown(here, NOW_MS)).toEqual([]);
  });

  it('is renewed by its owner after five minutes, and expires after ten without that', () => {
    const [here, cp] = [reader(), owner('cp-1')];
    tell(here, cp.publish([api('10.0.0.1')], NOW_MS), NOW_MS);
    expect(cp.nextTickMs()).toBe(NOW_MS + 5 * MINUTE_MS);
    expect(cp.tick(NOW_MS + 5 * MINUTE_MS - 1)).toEqual([]);
    const renewed = cp.tick(NOW_MS + 5 * MINUTE_MS);
    expect(tell(here, renewed, NOW_MS + 6 * MINUTE_MS).fresh).toHaveLength(1);
    expect(shown(here, NOW_MS + 14 * MINUTE_MS)).toHaveLength(1);
    expect(shown(here, NOW_MS + 15 * MINUTE_MS)).toEqual([]);
    here.tick(NOW_MS + 15 * MINUTE_MS);
    expect(here.known.all()).toEqual([]);
  });

  it('that its owner withdrew does not come back, even from a peer that was away', () => {
    const [here, cp] = [reader(), owner('cp-1')];
    const old = cp.publish([api('10.0.0.1')], NOW_MS);
    tell(here, old, NOW_MS);
    tell(here, cp.publish([], NOW_MS + 1), NOW_MS + 1);
    expect(shown(here, NOW_MS + 1)).toEqual([]);
    expect(tell(here, old, NOW_MS + 2).fresh).toEqual([]);
    const late = NOW_MS + 1 + SIGNED_FOR_MS;
    here.tick(late);
    expect(here.known.all()).toEqual([]);
    expect(tell(here, old, late).fresh).toEqual([]);
  });

  it('from before a restart stays until its owner publishes, and is then replaced or withdrawn', () => {
    const names = [api('10.0.0.1'), { name: 'etcd-a.internal', type: 'A', addresses: ['10.0.0.1'] }];
    const [here, before, again] = [reader(), owner('cp-1'), owner('cp-1')];
    const old = before.publish(names, NOW_MS + 4 * MINUTE_MS);
    tell(here, old, NOW_MS);
    expect(tell(again, old, NOW_MS).fresh).toHaveLength(2);
    expect(shown(again, NOW_MS)).toHaveLength(2);
    // Its clock is behind that of its last run.
    tell(here, again.publish([api('10.0.0.1')], NOW_MS + 1), NOW_MS + 1);
    expect(here.known.inForce(NOW_MS + 1).map(({ record: { name } }) => name)).toEqual([API]);
    tell(again, old, NOW_MS + 2);
    expect(shown(again, NOW_MS + 2)).toHaveLength(1);
  });

  it('costs little if it is false: of a flood only some are verified, and others keep their share', () => {
    const here = reader();
    const flood = Array.from({ length: 5000 }, (_, count) =>
      signedBy(identities.worker, { stamp: { ms: NOW_MS, count } }),
    );
    const { fresh, refusal } = here.take(flood, from, NOW_MS);
    expect(fresh).toEqual([]);
    expect(refusal?.reason).toBe('too-many');
    const [good] = owner('cp-1').publish([api('10.0.0.1')], NOW_MS);
    if (good === undefined) throw new Error('nothing was published');
    expect(here.take([good], from, NOW_MS).fresh).toEqual([]);
    expect(here.take([good], { ...from, address: '10.0.0.8' }, NOW_MS).fresh).toHaveLength(1);
  });

  it('comes by exchanged states although forged packets have used up what is verified of packets', () => {
    const here = reader();
    const false1 = signedBy(identities.worker, {});
    for (let index = 0; index < 2000; index += 1) {
      here.take([false1], { by: 'packet', address: `10.1.${index >> 8}.${index & 255}` }, NOW_MS);
    }
    const good = owner('cp-1').publish([api('10.0.0.1')], NOW_MS);
    expect(here.take(good, { by: 'packet', address: '10.9.9.9' }, NOW_MS).refusal?.reason).toBe('too-many');
    expect(here.take(good, { by: 'state', address: '10.9.9.9' }, NOW_MS).fresh).toHaveLength(1);
  });

  it('of new authorities counts as soon as they are trusted, and that of old ones no longer', async () => {
    const next = await createCertificateAuthority({ commonName: 'gossip-records-ca', nowMs: NOW_MS + 1 });
    const identity = await certify(next, 'cp-1', '10.0.0.1', 'ControlPlane');
    const here = reader();
    expect(tell(here, [signedBy(identity, {})], NOW_MS).fresh).toEqual([]);
    here.replaceTrust({ authoritiesPem: trustedCertificates(next) });
    expect(tell(here, [signedBy(identity, {})], NOW_MS).fresh).toHaveLength(1);
    expect(tell(here, [signedBy(identities['cp-2'], { owner: 'cp-2', addresses: [] })], NOW_MS).fresh).toEqual([]);
  });

  it('that nobody would believe is not published', () => {
    expect(() => owner('cp-1').publish([api('10.0.0.9')], NOW_MS)).toThrow('not certified for the address 10.0.0.9');
    expect(() => reader().publish([api('10.0.0.9')], NOW_MS)).toThrow('needs a signature');
  });
});

describe('signed and unsigned records', () => {
  const replicated = (name: string, identity?: RecordIdentity): ReplicatedRecords =>
    new ReplicatedRecords({
      name,
      label: LABEL,
      settings: RECORD_SETTINGS,
      nowMs: () => NOW_MS,
      say: () => undefined,
      onChange: () => undefined,
      signing: {
        isReserved: (wanted) => wanted === API,
        trust: {
          authoritiesPem,
          ...(identity !== undefined && { identity }),
        },
      },
    });
  const inForce = (records: ReplicatedRecords): string[] =>
    records.inForce().map(({ name, addresses, roles }) => `${name} ${addresses.join()} ${roles?.join() ?? 'unsigned'}`);

  it('never share a slot: what is not signed neither replaces nor deletes a reserved name', () => {
    const [cp, here] = [replicated('cp-1', identities['cp-1']), replicated('reader')];
    cp.publish([api('10.0.0.1'), { name: 'printer', type: 'A', addresses: ['10.0.0.1'] }]);
    expect(here.takeState(cp.state(), '10.0.0.1')).toBeUndefined();
    const both = [`printer 10.0.0.1 unsigned`, `${API} 10.0.0.1 ControlPlane`];
    const later = { stamp: { ms: NOW_MS + 1000, count: 0 } };
    for (const change of [{ addresses: ['6.6.6.6'] }, { isDeleted: true, addresses: [] }, { owner: 'other' }]) {
      expect(here.takeMessage(encodeRecord(record({ ...later, ...change })), '10.0.0.7')).toMatchObject({
        reason: 'not-certified',
      });
    }
    here.owner('cp-1', 'live');
    expect(inForce(here)).toEqual(both);
    cp.close();
    here.close();
  });

  it('differ in what becomes of them without their owner: the signed ones stay, and say that it is gone', () => {
    const [cp, here] = [replicated('cp-1', identities['cp-1']), replicated('reader')];
    cp.publish([api('10.0.0.1'), { name: 'printer', type: 'A', addresses: ['10.0.0.1'] }]);
    here.owner('cp-1', 'live');
    here.takeState(cp.state(), '10.0.0.1');
    expect(here.inForce().map(({ name, isOwnerPresent }) => [name, isOwnerPresent])).toEqual([
      ['printer', true],
      [API, true],
    ]);
    here.owner('cp-1', 'gone');
    expect(here.inForce().map(({ name, isOwnerPresent }) => [name, isOwnerPresent])).toEqual([[API, false]]);
    cp.close();
    here.close();
  });
});
