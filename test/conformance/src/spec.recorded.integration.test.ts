import { specCloud } from '@kopsctl/clouds/control.ts';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { canonicalDuration, canonicalQuantity } from '@kopsctl/spec/canonical-scalar.ts';
import { completeCluster } from '@kopsctl/spec/complete.ts';
import { isKind, KINDS } from '@kopsctl/spec/kinds.ts';
import { parseObjects } from '@kopsctl/spec/parse.ts';
import { printObject } from '@kopsctl/spec/print.ts';
import type { Field } from '@kopsctl/spec/schema/field.ts';
import { validateCluster } from '@kopsctl/spec/validate.ts';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { recordedFolder } from './recorded-cases.ts';

const asText = (left: unknown, right: unknown) => printObject(left).localeCompare(printObject(right));
const name = (file: string) => relative(recordedFolder, file);
const inputs = globSync(
  `${recordedFolder}/{update_cluster/*/in-v1alpha2.yaml,update_cluster/complex/in-legacy-v1alpha2.yaml,conversion/*/*v1alpha2.yaml,node/*/**/cluster.yaml}`,
);
/** As kops writes them: durations and quantities are numbers to it, and people write them in several ways. */
const asKopsWrites = (text: string): string =>
  text
    .replaceAll(/(maxInstanceLifetime: )"?(\w+)"?/g, (_, field, value) => `${field}${canonicalDuration(value)}`)
    .replaceAll(
      /(auditWebhookBatchThrottleQps: )([\d.]+)$/gm,
      (_, field, value) => `${field}${canonicalQuantity(value)}`,
    );
const completedSpecs = globSync(`${recordedFolder}/update_cluster/*/data/*cluster-completed.spec_content`);

describe('specs of kops', () => {
  it.each([...inputs, ...completedSpecs].map(name))('%s is parsed completely and printed with every value', (path) => {
    const text = readFileSync(join(recordedFolder, path), 'utf8');
    const result = parseObjects(text, path);
    expect(result.errors).toEqual([]);
    const all = [...result.objects, ...result.additional].map(({ value }) => value);
    const written = parseAllDocuments(text)
      // The API group of kops before Kubernetes 1.5.
      .map((document): unknown =>
        parse(asKopsWrites(document.toString().replace('apiVersion: kops/', 'apiVersion: kops.k8s.io/'))),
      )
      .filter((value) => value !== null);
    expect(all.toSorted(asText)).toEqual(written.toSorted(asText));
    expect(all.map((value): unknown => parse(printObject(value)))).toEqual(all);
  });

  it.each(completedSpecs.map(name))('%s is printed byte for byte like kops prints it', (path) => {
    const text = readFileSync(join(recordedFolder, path), 'utf8');
    expect(printObject(parseObjects(text, path).objects[0]?.value)).toBe(text);
  });

  it.each(completedSpecs.map(name))('completion agrees with %s on every value that both have', (path) => {
    const folder = dirname(dirname(join(recordedFolder, path)));
    const { cluster, instanceGroups } = objectsOf(join(folder, 'in-v1alpha2.yaml'));
    const kops = objectsOf(join(recordedFolder, path)).cluster;
    const ours = completeCluster(
      { cluster, instanceGroups },
      { stateStoreUrl: 'memfs://tests' },
      specCloud(cluster),
    ).cluster;
    const [left, right] = [leavesOf(ours.spec), leavesOf(kops.spec)];
    const differing = [...left].filter(([at, value]) => right.has(at) && right.get(at) !== value);
    expect(differing).toEqual([]);
  });

  it.each(inputs.filter((file) => file.includes('update_cluster')).map(name))(
    '%s is valid before and after completion',
    (path) => {
      const { cluster, instanceGroups } = objectsOf(join(recordedFolder, path));
      expect(validateCluster(cluster, instanceGroups, specCloud(cluster))).toEqual([]);
      const completed = completeCluster(
        { cluster, instanceGroups },
        { stateStoreUrl: 'memfs://tests' },
        specCloud(cluster),
      );
      expect(validateCluster(completed.cluster, completed.instanceGroups, specCloud(completed.cluster))).toEqual([]);
    },
  );
});

describe('the schema', () => {
  const crds = globSync(`${recordedFolder}/crds/*.yaml`);

  it.each(crds.map(name))('has every field of %s with its type', (path) => {
    const definition: Definition = parse(readFileSync(join(recordedFolder, path), 'utf8'));
    const { kind } = definition.spec.names;
    const properties = definition.spec.versions[0]?.schema.openAPIV3Schema.properties;
    if (!isKind(kind) || properties?.['spec'] === undefined)
      throw new Error(`${path} does not define a supported kind`);
    const ours = new Map(fieldsOf(KINDS[kind].fields.spec, 'spec'));
    const theirs = new Map(propertiesOf(properties['spec'], 'spec'));
    for (const at of [...ours.keys()].filter(isBeyondCrds)) ours.delete(at);
    if (theirs.has('spec.networking.gce')) ours.set('spec.networking.gce', 'empty object');
    expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(theirs));
  });

  it('has as many fields as the API', () => {
    const leaves = (kind: 'Cluster' | 'InstanceGroup') =>
      fieldsOf(KINDS[kind].fields.spec, 'spec').filter(([at]) => !isBeyondCrds(at)).length;
    // One less than kops's 1,167: `networking.gce` is a leaf there.
    expect([leaves('Cluster'), leaves('InstanceGroup')]).toEqual([1166, 229]);
  });
});

/**
 * Fields that kops reads and writes although they are not in its CRDs: a retired field, and Cilium beside GCE's own
 * network.
 */
function isBeyondCrds(at: string): boolean {
  return at.startsWith('spec.serviceOIDCProvider') || at.startsWith('spec.networking.gce.');
}

interface Definition {
  readonly spec: {
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: Property } }[];
  };
}

interface Property {
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly properties?: Readonly<Record<string, Property>>;
  readonly items?: Property;
  readonly additionalProperties?: Property;
}

function objectsOf(file: string) {
  const { objects, errors } = parseObjects(readFileSync(file, 'utf8'), file);
  expect(errors).toEqual([]);
  const cluster = objects.find((object) => object.kind === 'Cluster')?.value;
  if (cluster === undefined) throw new Error(`${file} contains no Cluster`);
  const instanceGroups = objects.filter((object) => object.kind === 'InstanceGroup').map(({ value }) => value);
  return { cluster, instanceGroups };
}

/** Every field of a schema with its type. Kubernetes treats durations and enums as strings. */
function fieldsOf(field: Field, at: string): readonly [string, string][] {
  if (typeof field === 'string') return [[at, field === 'duration' ? 'string' : field]];
  if (field.type === 'enum') return [[at, 'string']];
  if (field.type === 'list') return fieldsOf(field.item, `${at}[]`);
  if (field.type === 'map') return fieldsOf(field.item, `${at}{}`);
  const entries = Object.entries(field.fields);
  if (entries.length === 0) return [[at, 'empty object']];
  return entries.flatMap(([key, inner]) => fieldsOf(inner, `${at}.${key}`));
}

function propertiesOf(property: Property, at: string): readonly [string, string][] {
  if (property.items !== undefined) return propertiesOf(property.items, `${at}[]`);
  if (property.additionalProperties !== undefined) return propertiesOf(property.additionalProperties, `${at}{}`);
  if (property['x-kubernetes-int-or-string'] === true) {
    return [[at, property.pattern === undefined ? 'int-or-string' : 'quantity']];
  }
  if (property.type !== 'object') return [[at, typeOf(property)]];
  const entries = Object.entries(property.properties ?? {});
  if (entries.length === 0) return [[at, 'empty object']];
  return entries.flatMap(([key, inner]) => propertiesOf(inner, `${at}.${key}`));
}

const typeOf = ({ type, format }: Property): string =>
  type === 'boolean' ? 'bool' : type === 'integer' ? (format === 'int32' ? 'int32' : 'int') : (type ?? 'unknown');

function leavesOf(value: unknown, at = '', leaves = new Map<string, unknown>()): Map<string, unknown> {
  if (typeof value !== 'object' || value === null) return leaves.set(at, value);
  for (const [key, inner] of Object.entries(value)) leavesOf(inner, `${at}.${key}`, leaves);
  return leaves;
}
