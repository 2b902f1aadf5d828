import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Keyset, KeysetItem } from './keyset.ts';

/** Keysets whose key pairs can be exchanged (kops: authorities and the service-account keys). */
export const isRotatable = (name: string): boolean => name === 'service-account' || /(^|-)ca(-|$)/.test(name);

const canSign = (item: KeysetItem): boolean => item.certificatePem !== undefined && item.privateKeyPem !== undefined;

/** Whether the pair of one id was made after that of another: ids are times. */
const isNewer = (a: string, b: string): boolean => (/^\d+$/.test(a) && /^\d+$/.test(b) ? BigInt(a) > BigInt(b) : a > b);

const refuse = (keyset: Keyset, what: string, why: string, next: string): ActionableError =>
  new ActionableError({ what: `${what} of the keyset ${keyset.name}`, why, next });

/** The newest trusted pair that can sign and is newer than the one that signs: what `promote` without an id takes. */
export const pendingPair = ({ items, primaryId }: Keyset): KeysetItem | undefined =>
  items.findLast((item) => canSign(item) && item.distrustedMs === undefined && isNewer(item.id, primaryId));

/** The keyset with one more pair. Nothing is signed with the pair unless it is made primary. */
export function withPair(keyset: Keyset, item: KeysetItem, isPrimary: boolean): Keyset {
  if (keyset.items.some(({ id, certificatePem }) => id === item.id || certificatePem === item.certificatePem)) {
    throw refuse(keyset, `add the key pair ${item.id}`, 'it is there already', '`kopsctl get keypairs` lists them');
  }
  const items = [...keyset.items, item].sort((a, b) => (isNewer(a.id, b.id) ? 1 : -1));
  const added = { ...keyset, items };
  return isPrimary ? promoted(added, item.id) : added;
}

/** The keyset that signs with another pair; without an id with the newest, if that is newer than the one that signs. */
export function promoted(keyset: Keyset, id: string | undefined): Keyset {
  const item = id === undefined ? pendingPair(keyset) : find(keyset, id, 'promote');
  if (item === undefined) {
    throw refuse(
      keyset,
      'promote a key pair',
      `no pair that can sign is newer than the one that signs (${keyset.primaryId})`,
      `make one: \`kopsctl create keypair ${keyset.name}\``,
    );
  }
  if (item.distrustedMs !== undefined) {
    throw refuse(
      keyset,
      `promote the key pair ${item.id}`,
      'nobody trusts it',
      `\`kopsctl trust keypair ${keyset.name} ${item.id}\` first, and roll all machines`,
    );
  }
  if (!canSign(item)) {
    throw refuse(
      keyset,
      `promote the key pair ${item.id}`,
      'it has no private key, or no certificate',
      'promote another one: `kopsctl get keypairs` lists them',
    );
  }
  return { ...keyset, primaryId: item.id };
}

/** The keyset in which pairs are not trusted any more; without ids, all that are older than the one that signs. */
export function distrusted(keyset: Keyset, ids: readonly string[], nowMs: number): Keyset {
  const chosen =
    ids.length === 0
      ? keyset.items.filter(({ id }) => isNewer(keyset.primaryId, id))
      : ids.map((id) => find(keyset, id, 'distrust'));
  if (chosen.some(({ id }) => id === keyset.primaryId)) {
    throw refuse(
      keyset,
      `distrust the key pair ${keyset.primaryId}`,
      'it is the one that signs',
      `promote another one first: \`kopsctl promote keypair ${keyset.name}\``,
    );
  }
  return changed(keyset, chosen, (item) => (item.distrustedMs === undefined ? { ...item, distrustedMs: nowMs } : item));
}

/** The keyset in which pairs are trusted again. */
export function trusted(keyset: Keyset, ids: readonly string[]): Keyset {
  const chosen = ids.map((id) => find(keyset, id, 'trust'));
  return changed(keyset, chosen, ({ distrustedMs: _since, ...item }) => item);
}

const changed = (keyset: Keyset, chosen: readonly KeysetItem[], change: (item: KeysetItem) => KeysetItem): Keyset => ({
  ...keyset,
  items: keyset.items.map((item) => (chosen.includes(item) ? change(item) : item)),
});

function find(keyset: Keyset, id: string, verb: string): KeysetItem {
  const item = keyset.items.find((one) => one.id === id);
  if (item !== undefined) return item;
  throw refuse(
    keyset,
    `${verb} the key pair ${id}`,
    `there is none with that id (there are ${keyset.items.map((one) => one.id).join(', ')})`,
    '`kopsctl get keypairs --distrusted` lists them',
  );
}
