import { randomInt } from 'node:crypto';
import { batches } from '../batches.ts';
import { DnsConflictError } from '../dns-conflict.ts';
import { canonicalName, type DnsProvider, type Zone } from '../zone.ts';
import { ask, type AskEnv } from './ask.ts';
import { CONFLICTS } from './explain-answer.ts';
import { encodeRecord, OPCODE, TYPE, type ReceivedMessage } from './message.ts';
import { realTransport, type NameServer } from './transport.ts';
import type { TsigKey } from './tsig-key.ts';
import { updateRecords, type UpdateRecords } from './update-records.ts';
import { ZoneTransfer } from './zone-transfer.ts';

export interface Rfc2136Options {
  /** The primary server of the zones. */
  readonly server: NameServer;
  readonly key: TsigKey;
  /** The names of the zones: a name server cannot list them. */
  readonly zones: readonly string[];
}

/** A TCP message has at most 65,535 bytes; the rest is for the question and the signature. */
const MAX_BATCH_BYTES = 60_000;

const realEnv: AskEnv = { transport: realTransport, nowMs: () => Date.now(), randomId: () => randomInt(0x10000) };

/**
 * Zones of a name server with dynamic updates (RFC 2136). Requests are signed with TSIG (RFC 8945); zones are listed by
 * AXFR.
 */
export function rfc2136Zones(options: Rfc2136Options, env: AskEnv = realEnv): DnsProvider {
  const { server, key } = options;
  return {
    zones: () => Promise.resolve(options.zones.map(canonicalName).map((name) => ({ id: name, name }))),

    async list(zone) {
      const transfer = new ZoneTransfer(zone.name);
      const message = {
        opcode: OPCODE.query,
        question: { name: zone.name, type: TYPE.AXFR },
        sections: [[], [], []],
      } as const;
      const what = `list the DNS zone ${zone.name}`;
      const take = (answer: ReceivedMessage) => transfer.take(answer);
      await ask({ server, key, zoneName: zone.name, what, message, expectedCodes: [], take, needsTcp: true }, env);
      return transfer.sets();
    },

    async change(zone, changes) {
      const measure = (change: UpdateRecords) => ({ count: 1, size: sizeOf(change) });
      const limits = { maxCount: Infinity, maxSize: MAX_BATCH_BYTES };
      for (const batch of batches(changes.map(updateRecords), limits, measure)) {
        const prerequisites = batch.flatMap((change) => change.prerequisites);
        const updates = batch.flatMap((change) => change.updates);
        await update(zone, { prerequisites, updates }, options, env);
      }
    },
  };
}

async function update(zone: Zone, batch: UpdateRecords, { server, key }: Rfc2136Options, env: AskEnv): Promise<void> {
  const { prerequisites, updates } = batch;
  const question = { name: zone.name, type: TYPE.SOA };
  const message = { opcode: OPCODE.update, question, sections: [prerequisites, updates, []] } as const;
  const what = `change the DNS zone ${zone.name}`;
  const take = ({ rcode }: ReceivedMessage) => {
    if (rcode !== 0) throw new DnsConflictError(zone.name, 'a record to replace has changed in the zone');
    return true;
  };
  await ask({ server, key, zoneName: zone.name, what, message, expectedCodes: CONFLICTS, take }, env);
}

function sizeOf({ prerequisites, updates }: UpdateRecords): number {
  return [...prerequisites, ...updates].reduce((sum, record) => sum + encodeRecord(record).length, 0);
}
