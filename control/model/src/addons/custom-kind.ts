import type { JsonObject } from '@kopsctl/tasks/task.ts';
import type { AddonObject } from './addon-object.ts';

export interface CustomKind {
  readonly group: string;
  readonly kind: string;
  /** `<kind>s` in lower case unless given. */
  readonly plural?: string;
  readonly scope?: 'Cluster' | 'Namespaced';
  readonly version?: string;
  readonly shortNames?: readonly string[];
  /** It has the subresource status. */
  readonly hasStatus?: boolean;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Columns of `kubectl get` besides the name and the age: their titles and JSON paths. */
  readonly columns?: Readonly<Record<string, string>>;
}

/**
 * The CustomResourceDefinition of an addon's kind. It preserves unknown fields and validates none: the addon validates
 * the objects that it reads. The upstream schemas have hundreds of kilobytes.
 */
export function customKind(wanted: CustomKind): AddonObject {
  const { group, kind, plural = `${kind.toLowerCase()}s`, scope = 'Cluster', version = 'v1' } = wanted;
  const { shortNames, hasStatus = false, annotations, columns } = wanted;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, ...(annotations === undefined ? {} : { annotations }) },
    spec: {
      group,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: kind.toLowerCase(),
        ...(shortNames === undefined ? {} : { shortNames }),
      },
      scope,
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          ...(hasStatus ? { subresources: { status: {} } } : {}),
          ...(columns === undefined ? {} : { additionalPrinterColumns: printed(columns) }),
        },
      ],
    },
  };
}

const printed = (columns: Readonly<Record<string, string>>): JsonObject[] => [
  ...Object.entries(columns).map(([name, jsonPath]) => ({ name, type: 'string', jsonPath })),
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];
