import type { ApiVersion } from './versions/api-version.ts';
import { CLOUDS, MOVES } from './versions/moves.ts';
import { translatePath } from './versions/translate-path.ts';

/** Fields that kops had in the past or has internally, and what to write instead. Paths have no list indexes. */
const FORMER: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Cluster: {
    'spec.adminAccess': 'write spec.sshAccess and spec.kubernetesApiAccess',
    'spec.etcdClusters.members': 'write etcdMembers',
    'spec.masterZones': 'list the zones in spec.subnets and give each control-plane instance group its subnets',
    'spec.multizone': 'list the zones in spec.subnets',
    'spec.zones': 'list the zones in spec.subnets',
  },
  InstanceGroup: {
    'spec.count': 'write spec.minSize and spec.maxSize',
    'spec.spotPrice': 'write spec.maxPrice',
  },
};

/** What to write instead of a field that this version does not have, if known. */
export function movedFieldHint(kind: string, path: string, version: ApiVersion): string | undefined {
  const plain = path.replace(/\[\d+\]/g, '');
  const former = FORMER[kind];
  if (former !== undefined && Object.hasOwn(former, plain)) return former[plain];
  const other = version === 'v1alpha2' ? 'v1alpha3' : 'v1alpha2';
  const [, cloud] = /^spec\.cloudProvider\.(\w+)$/.exec(plain) ?? [];
  if (version === 'v1alpha2' && cloud !== undefined) return `write spec.cloudProvider: ${CLOUDS[cloud] ?? cloud}`;
  const { path: here, rewrite } = translatePath(kind, path, other);
  if (here !== path) return `write ${here}${rewrite === undefined ? '' : ', which is spelled differently'}`;
  return partsHint(kind, path, version);
}

/** An object whose fields have moved, such as `spec.rootVolume`, or a field that only the other version has. */
function partsHint(kind: string, path: string, version: ApiVersion): string | undefined {
  const pattern = path.replace(/\[\d+\]/g, '[]');
  const moves = MOVES[kind] ?? [];
  if (version === 'v1alpha3') {
    return moves.some(({ v1alpha2, v1alpha3 }) => v1alpha2 === pattern && v1alpha3 === undefined)
      ? 'only v1alpha2 has it; remove it'
      : undefined;
  }
  const parts = moves.filter(({ v1alpha3 }) => v1alpha3?.startsWith(`${pattern}.`) === true);
  if (parts.length === 0) return undefined;
  const names = parts.slice(0, 3).map(({ v1alpha2 }) => v1alpha2);
  return `write ${names.join(', ')}${parts.length > names.length ? ', …' : ''}`;
}
