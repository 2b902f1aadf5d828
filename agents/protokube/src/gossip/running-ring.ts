import type { Gossip } from '@kopsctl/gossip/gossip.ts';
import type { GossipRing } from '@kopsctl/node-plan/agent-config.ts';
import { heldKeys } from './key-holders.ts';
import type { RingUse } from './plan-gossip-keys.ts';

/** A ring of which this machine is a member, while it is one. */
export class RunningRing {
  gossip: Gossip | undefined;

  /** Undefined while this machine does not gossip. */
  use(): RingUse | undefined {
    if (this.gossip === undefined) return undefined;
    const members = this.gossip.members().map(({ name, meta }) => ({ name, keys: heldKeys(meta) }));
    return { ...this.gossip.keyUse(), members };
  }
}

/** The rings of this machine, in the order of its configuration. */
export type Rings = ReadonlyMap<GossipRing, RunningRing>;
