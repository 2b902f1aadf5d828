import { type Fields, fields, isPinned, items, type PlacedPod, text } from './placed-pods.ts';

/**
 * How a pod can come by credentials of the cloud, and by what it says of machines. Pods with a network of their own get no answer
 * from the metadata service (`node/metadata-guard.ts`).
 */
export type Way =
  /** The metadata service answers it for a control plane. */
  | 'as a control plane'
  /** The metadata service answers it for whichever machine it runs on. */
  | 'as its machine'
  /** Each of its containers exchanges a token of its service account for a role of the cloud. */
  | 'by its own role';

export function waysOf({ pod }: Pick<PlacedPod, 'pod'>): readonly Way[] {
  const isOfMachine = pod['hostNetwork'] === true;
  return [
    ...(isOfMachine && isPinned(pod) && toleratesControlPlanes(pod) ? (['as a control plane'] as const) : []),
    ...(isOfMachine ? (['as its machine'] as const) : []),
    ...(hasOwnRole(pod) ? (['by its own role'] as const) : []),
  ];
}

/** Control planes have a taint with the effect NoSchedule. */
const toleratesControlPlanes = (pod: Fields): boolean =>
  items(pod['tolerations']).some(
    ({ operator, key, effect }) =>
      operator === 'Exists' && key === undefined && (effect === undefined || effect === 'NoSchedule'),
  );

/** The variables of a container that have a value of their own. */
export const variablesOf = (container: Fields): Readonly<Record<string, string>> =>
  Object.fromEntries(
    items(container['env'])
      .filter(({ value }) => typeof value === 'string')
      .map(({ name, value }) => [text(name), text(value)]),
  );

/** The volume in which a container finds the token for a role, and the folder where it is mounted. */
export function tokenVolumeOf(pod: Fields, container: Fields): { readonly folder: string; readonly volume: Fields } | undefined {
  const file = variablesOf(container)['AWS_WEB_IDENTITY_TOKEN_FILE'] ?? '';
  const mount = items(container['volumeMounts']).find(({ mountPath }) => file.startsWith(`${text(mountPath).replace(/\/$/, '')}/`));
  const volume = items(pod['volumes']).find(({ name }) => name === mount?.['name']);
  return mount === undefined || volume === undefined ? undefined : { folder: text(mount['mountPath']), volume };
}

function hasOwnRole(pod: Fields): boolean {
  const containers = items(pod['containers']);
  return containers.length > 0 && containers.every((container) => exchangesToken(pod, container));
}

/** The variables by which every SDK of AWS finds a role and the token for it, and the token where they say. */
function exchangesToken(pod: Fields, container: Fields): boolean {
  const { AWS_ROLE_ARN: role, AWS_WEB_IDENTITY_TOKEN_FILE: file } = variablesOf(container);
  const found = tokenVolumeOf(pod, container);
  if (role === undefined || file === undefined || found === undefined) return false;
  return items(fields(found.volume['projected'])['sources']).some((source) => {
    const { audience, path } = fields(source['serviceAccountToken']);
    return audience === 'amazonaws.com' && `${found.folder.replace(/\/$/, '')}/${text(path)}` === file;
  });
}
