import type { Message, NodeBelief } from '../wire/message.ts';
import { Refusal } from '../wire/refusal.ts';

/** Far more often than a peer refutes, even where clocks stand at zero after a start. */
const ALWAYS_ALLOWED = 2 ** 16;
/** By how much an answer may exceed what it answers, so that it counts at once. */
const ROOM_FOR_REFUTATION = 16;

/**
 * Refuses incarnations that no peer reaches by itself. A peer refutes with the accusation's incarnation plus one, and
 * incarnations have 32 bits on the wire: after an accusation with the largest of them, its answer would be unreadable
 * forever. The bound grows by one a second with the time of day, so there is always a larger incarnation for the answer
 * (until the year 2106), and a peer that holds the largest gets rid of it. memberlist has no such bound.
 */
export function beyondBound(message: Message | NodeBelief, dateMs: number): Refusal | undefined {
  const said = incarnationIn(message);
  if (said === undefined) return undefined;
  const bound = ALWAYS_ALLOWED + Math.floor(dateMs / 1000);
  if (said.incarnation <= (said.isAlive ? bound + ROOM_FOR_REFUTATION : bound)) return undefined;
  return new Refusal('out-of-bounds', `${said.node} cannot have reached the incarnation ${said.incarnation}`);
}

function incarnationIn(
  message: Message | NodeBelief,
): { readonly node: string; readonly incarnation: number; readonly isAlive: boolean } | undefined {
  if ('state' in message) {
    return { node: message.name, incarnation: message.incarnation, isAlive: message.state === 'alive' };
  }
  switch (message.kind) {
    case 'alive':
    case 'suspect':
    case 'dead':
      return { node: message.node, incarnation: message.incarnation, isAlive: message.kind === 'alive' };
    default:
      return undefined;
  }
}
