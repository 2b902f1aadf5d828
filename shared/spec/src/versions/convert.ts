import { isRecord } from '@kopsctl/tasks/record.ts';
import { isKind, KINDS } from '../kinds.ts';
import { apiVersionOf, type ApiVersion } from './api-version.ts';
import type { ConversionFault } from './conversion-fault.ts';
import { faultsOfClouds, withCloudObject, withCloudWord } from './cloud.ts';
import { disabledAsProvider, providerAsDisabled } from './external-dns.ts';
import { moveFields, put, type Misfit } from './move-fields.ts';
import { ALWAYS_WRITTEN } from './moves.ts';
import { v1alpha3Schema } from './v1alpha3-schema.ts';
import { valueAt, type Values } from './values.ts';

export interface Converted {
  /** The object in the other version. Complete only if there are no faults. */
  readonly value: Values;
  /** Values that were omitted because the other version has no field for them. Zero values are not listed. */
  readonly lost: readonly Misfit[];
  readonly faults: readonly ConversionFault[];
}

/**
 * Converts an object to the other version as kops does. The object must match the schema of its version. It is not
 * changed. Never throws.
 */
export function convert(kind: string, object: Values, from: ApiVersion): Converted {
  return from === 'v1alpha2' ? toV1alpha3(kind, object) : toV1alpha2(kind, object);
}

function toV1alpha3(kind: string, object: Values): Converted {
  const schema = isKind(kind) ? KINDS[kind] : undefined;
  const isCluster = kind === 'Cluster';
  const { value, lost, faults } =
    schema === undefined
      ? { value: object, lost: [], faults: [] }
      : moveFields(kind, isCluster ? disabledAsProvider(object) : object, schema, 'v1alpha2');
  const finished = isCluster ? withAlways(withCloudObject(value, object), 'v1alpha3') : value;
  return {
    value: { ...finished, apiVersion: apiVersionOf('v1alpha3') },
    lost: lost.filter((misfit) => !isZero(misfit.value)),
    faults: [...(isCluster ? faultsOfClouds(object, 'v1alpha2') : []), ...faults.map(asFault)],
  };
}

function toV1alpha2(kind: string, object: Values): Converted {
  const schema = isKind(kind) ? v1alpha3Schema(kind) : undefined;
  const { value, lost, faults } =
    schema === undefined ? { value: object, lost: [], faults: [] } : moveFields(kind, object, schema, 'v1alpha3');
  const finished =
    kind === 'Cluster' ? withAlways(withoutEmpty(providerAsDisabled(withCloudWord(value, object))), 'v1alpha2') : value;
  return {
    value: { ...finished, apiVersion: apiVersionOf('v1alpha2') },
    lost: lost.filter((misfit) => !isZero(misfit.value)),
    faults: [...(kind === 'Cluster' ? faultsOfClouds(object, 'v1alpha3') : []), ...faults.map(asFault)],
  };
}

const asFault = ({ path, why }: Misfit & { readonly why: string }): ConversionFault => ({
  path,
  message: `this has no spelling in the other version: ${why}`,
});

/** Adds the fields that kops always writes. */
function withAlways(object: Values, version: ApiVersion): Values {
  const copy = { ...structuredClone(object) };
  for (const [path, value] of Object.entries(ALWAYS_WRITTEN[version])) {
    const [parent, present] = [valueAt(copy, path.slice(0, path.lastIndexOf('.'))), valueAt(copy, path)];
    if (present === undefined && parent !== undefined) put({ built: copy, root: '' }, path, structuredClone(value));
  }
  return copy;
}

/**
 * Adds the objects that v1alpha3 always has, while v1alpha2 has them only if they are not empty, and v1alpha3's unset
 * texts.
 */
function withoutEmpty(object: Values): Values {
  const { spec } = object;
  if (!isRecord(spec)) return object;
  const { api, networking, project, ...rest } = spec;
  return {
    ...object,
    spec: {
      ...rest,
      ...(isRecord(api) && Object.keys(api).length > 0 ? { api } : {}),
      ...(isRecord(networking) && Object.keys(networking).length > 0 ? { networking } : {}),
      ...(project === undefined || project === '' ? {} : { project }),
    },
  };
}

/** Go's zero value of a field. */
const isZero = (value: unknown): boolean => value === false || value === 0 || value === '';
