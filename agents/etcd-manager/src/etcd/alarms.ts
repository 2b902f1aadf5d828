import { messagesIn, optionalIdIn, textIn, type Answer } from './answers.ts';

/** Why etcd has stopped taking writes. */
export interface EtcdAlarm {
  /**
   * Absent where etcd cannot tell which member is meant: etcd 3.4 raises every CORRUPT alarm for the member 0 (the answer of
   * its peers names no member), and from 3.5 on it does so if no majority holds the same data.
   */
  readonly memberId?: string;
  readonly alarm: 'NOSPACE' | 'CORRUPT';
}

/** Reads the answer to the question which alarms are raised. A newer etcd may have others; these are known here. */
export function alarmsIn(answer: Answer): readonly EtcdAlarm[] {
  return messagesIn(answer, 'alarms').flatMap((found) => {
    const alarm = textIn(found, 'alarm');
    if (alarm !== 'NOSPACE' && alarm !== 'CORRUPT') return [];
    const memberId = optionalIdIn(found, 'memberID');
    return [{ alarm, ...(memberId !== undefined && { memberId }) }];
  });
}

/** The alarms that concern a member: its own, and alarms that may be any member's. */
export function alarmsOf(alarms: readonly EtcdAlarm[], id: string): readonly EtcdAlarm[] {
  return alarms.filter(({ memberId = id }) => memberId === id);
}
