import type { GossipLog, Warn } from './gossip-log.ts';
import type { SwimEvent } from './swim/effects.ts';

const MEMBER_MESSAGES = { join: 'member joined', leave: 'member left', fail: 'member failed' } as const;

/** Writes the log line of an event of the state machine. Events that need nobody's attention have none. */
export function logEvent(event: SwimEvent, info: GossipLog['info'], warn: Warn): void {
  switch (event.kind) {
    case 'join':
    case 'leave':
    case 'fail':
      info(MEMBER_MESSAGES[event.kind], { member: event.member.name, address: event.member.address });
      break;
    case 'conflict': {
      const { member, other } = event;
      const addresses = [member.address, other.address];
      warn(`conflict ${member.name}`, 'two machines use the same name', { member: member.name, addresses });
      break;
    }
    case 'packetsLost': {
      const { name, port } = event.member;
      const next = 'check that nothing blocks this UDP port';
      warn(`packets ${name}`, 'member answers by TCP but not by UDP', { member: name, port, next });
      break;
    }
    case 'incompatible':
      warn('incompatible', 'node left out of the state of a peer', { member: event.node, why: event.why });
      break;
    case 'tooMany':
      warn('tooMany', 'member not taken in: there are more than a cluster has', { member: event.node });
      break;
    case 'suspect':
    case 'refuted':
    case 'update':
    case 'user':
    case 'left':
      break;
  }
}
