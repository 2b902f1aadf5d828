import { MAX_PACKET_BYTES } from '../wire/packet.ts';

/** How a cluster gossips. All peers of a cluster should have the same. */
export interface SwimSettings {
  readonly probeIntervalMs: number;
  /** How long the answer to a direct probe is awaited before others are asked to try. */
  readonly probeTimeoutMs: number;
  /** How many others are asked. */
  readonly indirectChecks: number;
  /** A suspected node has at least this many probe intervals to defend itself. */
  readonly suspicionMult: number;
  /** The longest suspicion, in shortest ones. */
  readonly suspicionMaxTimeoutMult: number;
  /** How many times slower a peer in doubt about itself may become. */
  readonly awarenessMax: number;
  readonly gossipIntervalMs: number;
  readonly gossipNodes: number;
  /** Dead nodes are told for this long that they are thought dead; then they are forgotten. */
  readonly gossipToTheDeadMs: number;
  readonly pushPullIntervalMs: number;
  /** News goes out this many times the magnitude of the cluster. */
  readonly retransmitMult: number;
  /** A dead node's name can be taken from another address after this long; one that left gives its name up at once. */
  readonly deadNodeReclaimMs: number;
  /** What is left for messages in one packet is this, less what encryption and label take. */
  readonly maxPacketBytes: number;
}

/**
 * memberlist DefaultLANConfig. deadNodeReclaimMs alone differs: there it is 0, which means never, and a machine that
 * restarts with its name and another address would stay out.
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
 * The largest cluster in which everybody tells everybody: the author of news says it to all himself, twice in case a
 * packet is lost, and newcomers are greeted by all. That is some packets for each news, and nobody is missed by chance.
 */
export const MAX_FAMILIAR = 64;

/** How often the author of news sends it. */
export function authorTransmitLimit(retransmitMult: number, nodes: number): number {
  const limit = transmitLimit(retransmitMult, nodes);
  return nodes > MAX_FAMILIAR ? limit : Math.max(limit, 2 * (nodes - 1));
}

/** How often one piece of news is sent (memberlist retransmitLimit). */
export function transmitLimit(retransmitMult: number, nodes: number): number {
  return retransmitMult * Math.ceil(Math.log10(nodes + 1));
}

/** Up to this many nodes, exchanges of whole states keep their interval (memberlist pushPullScaleThreshold). */
const PUSH_PULL_SCALE_THRESHOLD = 32;

/** Exchanges of whole states become rarer as states grow (memberlist pushPullScale). */
export function pushPullIntervalMs(intervalMs: number, nodes: number): number {
  if (nodes <= PUSH_PULL_SCALE_THRESHOLD) return intervalMs;
  return intervalMs * (Math.ceil(Math.log2(nodes) - Math.log2(PUSH_PULL_SCALE_THRESHOLD)) + 1);
}
