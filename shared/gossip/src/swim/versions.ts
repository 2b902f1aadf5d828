import type { NodeBelief, Versions } from '../wire/message.ts';

/**
 * Why peers with these versions cannot gossip with each other; undefined where they can. Each one's current version has
 * to be one that everybody speaks (memberlist verifyProtocol). Nodes that are gone have no say.
 */
export function incompatibility(nodes: readonly Pick<NodeBelief, 'name' | 'state' | 'versions'>[]): string | undefined {
  let [protocolMin, protocolMax, delegateMin, delegateMax] = [0, 255, 0, 255];
  for (const { state, versions } of nodes) {
    if (state !== 'alive') continue;
    protocolMin = Math.max(protocolMin, versions.protocolMin);
    protocolMax = Math.min(protocolMax, versions.protocolMax);
    delegateMin = Math.max(delegateMin, versions.delegateMin);
    delegateMax = Math.min(delegateMax, versions.delegateMax);
  }
  for (const { name, state, versions } of nodes) {
    if (state !== 'alive') continue;
    if (versions.protocol < protocolMin || versions.protocol > protocolMax) {
      return `${name} speaks protocol ${versions.protocol}, others ${protocolMin} to ${protocolMax}`;
    }
    if (versions.delegate < delegateMin || versions.delegate > delegateMax) {
      return `${name} speaks delegate protocol ${versions.delegate}, others ${delegateMin} to ${delegateMax}`;
    }
  }
  return undefined;
}

/** Whether a node says of itself what can be true. */
export function areSane(versions: Versions): boolean {
  return versions.protocolMin > 0 && versions.protocolMin <= versions.protocolMax;
}
