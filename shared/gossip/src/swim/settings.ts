import { MAX_PACKET_BYTES } from '../wire/packet.ts';

/** The gossip settings. All peers of a cluster should have the same. */
export interface SwimSettings {
  readonly probeIntervalMs: number;
  /** How long to wait for a direct ack before asking other members for indirect probes. */
  readonly probeTimeoutMs: number;
  /** The number of members asked for an indirect probe. */
  readonly indirectChecks: number;
  /** The shortest suspicion, in probe intervals. */
  readonly suspicionMult: number;
  /** The longest suspicion, in multiples of the shortest. */
  readonly suspicionMaxTimeoutMult: number;
  /** The largest factor by which a peer with a bad health score probes more slowly. */
  readonly awarenessMax: number;
  readonly gossipIntervalMs: number;
  readonly gossipNodes: number;
  /** How long to gossip to dead nodes, so that they can refute; after that they are forgotten. */
  readonly gossipToTheDeadMs: number;
  readonly pushPullIntervalMs: number;
  /** A broadcast is sent this many times the order of magnitude of the cluster. */
  readonly retransmitMult: number;
  /**
   * After this time a node at another address may take the name of a dead one. The name of a node that left is free at
   * once.
   */
  readonly deadNodeReclaimMs: number;
  /** The size of a packet, including encryption and label. */
  readonly maxPacketBytes: number;
}

/**
 * memberlist DefaultLANConfig, except for deadNodeReclaimMs: its default of 0 means never, and a machine that restarts
 * with its name and another address could not join again.
 */
export const LAN: SwimSettings = {
  probeIntervalMs: 1000,
  probeTimeoutMs: 500,
  indirectChecks: 3,
  suspicionMult: 4,
  suspicionMaxTimeoutMult: 6,
  awarenessMax: 8,
  gossipIntervalMs: 200,
  gossipNodes: 3,
  gossipToTheDeadMs: 30_000,
  pushPullIntervalMs: 30_000,
  retransmitMult: 4,
  deadNodeReclaimMs: 1000,
  maxPacketBytes: MAX_PACKET_BYTES,
};

/**
 * Up to this size, the author of news sends it to all members, twice in case a packet is lost, and all members greet a
 * new one. That costs few packets for each change, and no member is missed by chance.
 */
export const MAX_FAMILIAR = 64;

/**
 * No peer knows more members. Kubernetes supports clusters of 5000 nodes, and some that are gone are remembered for a while.
 * A peer that has the key could make up any number.
 */
export const MAX_MEMBERS = 8192;

/** How often the author of a broadcast sends it. */
export function authorTransmitLimit(retransmitMult: number, nodes: number): number {
  const limit = transmitLimit(retransmitMult, nodes);
  return nodes > MAX_FAMILIAR ? limit : Math.max(limit, 2 * (nodes - 1));
}

/** How often a broadcast is sent (memberlist retransmitLimit). */
export function transmitLimit(retransmitMult: number, nodes: number): number {
  return retransmitMult * Math.ceil(Math.log10(nodes + 1));
}

/** Up to this many nodes, the push/pull interval stays the same (memberlist pushPullScaleThreshold). */
const PUSH_PULL_SCALE_THRESHOLD = 32;

/** The push/pull interval grows with the cluster, because states do (memberlist pushPullScale). */
export function pushPullIntervalMs(intervalMs: number, nodes: number): number {
  if (nodes <= PUSH_PULL_SCALE_THRESHOLD) return intervalMs;
  return intervalMs * (Math.ceil(Math.log2(nodes) - Math.log2(PUSH_PULL_SCALE_THRESHOLD)) + 1);
}
