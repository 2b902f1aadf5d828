import type { NodeBelief, Versions } from '../wire/message.ts';

/**
 * Explains why nodes with these versions cannot be one cluster; undefined where they can. The current version of each
 * node must be one that all of them support (memberlist verifyProtocol). Nodes that are gone do not count.
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
      return `${name} speaks protocol ${versions.protocol}, the other nodes ${protocolMin} to ${protocolMax}`;
    }
    if (versions.delegate < delegateMin || versions.delegate > delegateMax) {
      return `${name} speaks delegate protocol ${versions.delegate}, the other nodes ${delegateMin} to ${delegateMax}`;
    }
  }
  return undefined;
}

/** Whether the announced versions are consistent. */
export function areSane(versions: Versions): boolean {
  return versions.protocolMin > 0 && versions.protocolMin <= versions.protocolMax;
}
