import { isMap, isScalar, LineCounter, parseAllDocuments, visit, type Alias, type Document, type YAMLMap } from 'yaml';
import { asRecord } from '@kopsctl/tasks/record.ts';
import type { Cluster } from './cluster.ts';
import type { FieldError, Position } from './field-error.ts';
import { CLUSTER_LABEL, type InstanceGroup } from './instance-group.ts';
import { isKind, KINDS, type Kind } from './kinds.ts';
import { nearestName } from './nearest-name.ts';
import { offsetOf, readAnything, readValue, startReading, type Reading, type Report } from './read-value.ts';
import { API_VERSIONS, apiVersionOf, versionOf, type ApiVersion } from './versions/api-version.ts';
import { convert } from './versions/convert.ts';
import { translatePath } from './versions/translate-path.ts';
import { v1alpha3Schema } from './versions/v1alpha3-schema.ts';

/** An object of the kops API that matches the schema of its kind. `kind` determines the type of `value`. */
export type ParsedObject =
  | ParsedAs<'Cluster', Cluster>
  | ParsedAs<'InstanceGroup', InstanceGroup>
  | ParsedAs<Exclude<Kind, 'Cluster' | 'InstanceGroup'>, unknown>;

interface ParsedAs<K extends Kind, Value> {
  readonly kind: K;
  /** As written. */
  readonly apiVersion: string;
  readonly name: string;
  /** The cluster that the object's label names. For a Cluster, its own name. */
  readonly cluster?: string;
  /** Always in v1alpha2, even if it was written in another version. */
  readonly value: Value;
  /**
   * The position of a path of the value (`spec.etcdClusters[0].name`), or of its nearest parent if the path does not
   * exist.
   */
  readonly positionOf: (path: string) => Position;
  /** The path of the value as it was written. It differs if the object was written in v1alpha3. */
  readonly pathOf: (path: string) => string;
}

/** Any other Kubernetes object. It is installed in the cluster as an addon. */
export interface AdditionalObject {
  readonly kind: string;
  readonly apiVersion: string;
  /** Empty if the object has no name, as with configuration objects. */
  readonly name: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly positionOf: (path: string) => Position;
}

export interface ParseResult {
  readonly objects: readonly ParsedObject[];
  readonly additional: readonly AdditionalObject[];
  readonly errors: readonly FieldError[];
  /** Objects with faults, without the fields that have them, so that the rest of each object can be checked as well. */
  readonly faulty: readonly ParsedObject[];
  /** Fields that were left out, if `misplaced` said so: the API has them in another place or version. */
  readonly leftOut: readonly FieldError[];
}

export interface ParseOptions {
  /**
   * What is done about a field whose name the API has, but in another place or version (`spec.rootVolume` in v1alpha2).
   * kops leaves it out without a word. A name that the API has nowhere is a fault in any case.
   */
  readonly misplaced?: 'refuse' | 'leave-out';
}

/**
 * Reads all documents of a YAML or JSON text. Reports every fault in the file, in the order of the text. Objects with
 * faults are not in `objects`. Never throws.
 */
export function parseObjects(text: string, file: string, { misplaced = 'refuse' }: ParseOptions = {}): ParseResult {
  const lineCounter = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter, prettyErrors: false, uniqueKeys: false });
  const objects: ParsedObject[] = [];
  const additional: AdditionalObject[] = [];
  const errors: FieldError[] = [];
  const faulty: ParsedObject[] = [];
  const place = (offset: number): Position => {
    const { line, col } = lineCounter.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const reportTo =
    (list: FieldError[]): Report =>
    (offset, path, message, hint) =>
      list.push({ ...place(offset), path, message, ...(hint === undefined ? {} : { hint }) });
  const leftOut: FieldError[] = [];
  const fault = reportTo(errors);
  const reports = { fault, misplaced: misplaced === 'leave-out' ? reportTo(leftOut) : undefined };

  for (const document of Array.isArray(documents) ? documents : []) {
    const syntaxFaults = [...document.errors, ...document.warnings];
    for (const { pos, message } of syntaxFaults) fault(pos[0], '', message.replace(/\.$/, ''));
    const lostAliases = syntaxFaults.length > 0 ? [] : aliasesWithoutAnchor(document);
    for (const alias of lostAliases)
      fault(offsetOf(alias), '', `there is no anchor &${alias.source} before this *${alias.source}`);
    if (syntaxFaults.length > 0 || lostAliases.length > 0 || isEmpty(document)) continue;
    if (!isMap(document.contents)) {
      fault(document.contents?.range?.[0] ?? 0, '', 'expected an object with apiVersion, kind, metadata and spec');
      continue;
    }
    const before = errors.length;
    const read = readObject(document, document.contents, reports, place);
    if (read === undefined) continue;
    if (errors.length > before) {
      if (!read.foreign) faulty.push(read.object);
    } else if (read.foreign) additional.push(read.object);
    else objects.push(read.object);
  }
  errors.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
  return { objects, additional, errors, faulty, leftOut };
}

type ReadObject =
  | { readonly foreign: false; readonly object: ParsedObject }
  | { readonly foreign: true; readonly object: AdditionalObject };

function readObject(
  document: Document,
  contents: YAMLMap,
  reports: Pick<Reading, 'fault' | 'misplaced'>,
  place: (offset: number) => Position,
): ReadObject | undefined {
  const { fault } = reports;
  const header = headerOf(contents, fault);
  if (header === undefined) return undefined;
  const start = offsetOf(contents);
  const { apiVersion, kind } = header;
  const reading = startReading(kind, header.version ?? 'v1alpha2', document, reports);
  const positionOf = (path: string) => place(offsetOfPath(reading.offsets, path) ?? start);
  if (header.version === undefined) {
    const value = asRecord(readAnything(contents, '', reading));
    return { foreign: true, object: { kind, apiVersion, name: nameOf(value) ?? '', value, positionOf } };
  }
  const { version, kind: own } = header;
  const schema = version === 'v1alpha2' ? KINDS[own] : v1alpha3Schema(own);
  const read = asRecord(readValue(contents, schema, '', reading));
  const written = { ...read, apiVersion: apiVersionOf(version), spec: read['spec'] ?? {} };
  const value = version === 'v1alpha2' ? written : inV1alpha2(own, written, reading, start);
  const name = nameOf(value);
  const nameIsMissing = name === '' || (contents.getIn(['metadata', 'name']) ?? null) === null;
  if (nameIsMissing) fault(offsetAt(contents, 'metadata'), 'metadata.name', 'must be set');
  const cluster = own === 'Cluster' ? name : textIn(asRecord(read['metadata'])['labels'], CLUSTER_LABEL);
  const object = {
    kind: own,
    apiVersion,
    name: name ?? '',
    ...(cluster === undefined ? {} : { cluster }),
    value,
    positionOf: (path: string) => positionOf(pathIn(version, own, path)),
    pathOf: (path: string) => pathIn(version, own, path),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the value was read by the schema of its kind
  return { foreign: false, object: object as ParsedObject };
}

/** What kind of object it is: one of the kops API, or any other. */
type Header =
  | { readonly apiVersion: string; readonly version: ApiVersion; readonly kind: Kind }
  | { readonly apiVersion: string; readonly version: undefined; readonly kind: string };

/** Returns undefined if a fault was reported. */
function headerOf(contents: YAMLMap, fault: Report): Header | undefined {
  const apiVersion = textOf(contents, 'apiVersion');
  const kind = textOf(contents, 'kind');
  if (apiVersion === undefined || kind === undefined) {
    const [first = '', ...more] = [
      apiVersion === undefined ? 'apiVersion' : '',
      kind === undefined ? 'kind' : '',
    ].filter(Boolean);
    const hint = `e.g. apiVersion: ${API_VERSIONS[0]}, kind: Cluster`;
    fault(offsetOf(contents), first, `${[first, ...more].join(' and ')} must be set`, hint);
    return undefined;
  }
  const faultAt = (field: string, message: string, hint: string) =>
    fault(offsetAt(contents, field), field, message, hint);
  if (!/^kops(\.k8s\.io)?\//.test(apiVersion)) {
    const near = isKind(kind) ? API_VERSIONS[0] : nearestName(apiVersion, API_VERSIONS);
    if (near === undefined) return { apiVersion, version: undefined, kind };
    faultAt('apiVersion', `unknown version '${apiVersion}'`, `did you mean ${near}?`);
    return undefined;
  }
  const version = versionOf(apiVersion);
  if (version === undefined) {
    const near = nearestName(apiVersion, API_VERSIONS) ?? API_VERSIONS[0];
    faultAt('apiVersion', `version '${apiVersion}' is not read`, `write ${near}`);
    return undefined;
  }
  if (isKind(kind)) return { apiVersion, version, kind };
  const kinds = Object.keys(KINDS);
  const near = nearestName(kind, kinds);
  faultAt(
    'kind',
    `unknown kind '${kind}'`,
    near === undefined ? `known: ${kinds.join(', ')}` : `did you mean ${near}?`,
  );
  return undefined;
}

/** Converts an object that was read in v1alpha3 to v1alpha2. */
function inV1alpha2(kind: Kind, written: Readonly<Record<string, unknown>>, reading: Reading, start: number): unknown {
  const { value, faults } = convert(kind, written, 'v1alpha3');
  for (const { path, message, hint } of faults) {
    reading.fault(offsetOfPath(reading.offsets, path) ?? start, path, message, hint);
  }
  return value;
}

const pathIn = (version: ApiVersion, kind: Kind, path: string): string =>
  version === 'v1alpha2' ? path : translatePath(kind, path, 'v1alpha2').path;

/** The YAML parser does not check for these, so code that follows aliases must. */
function aliasesWithoutAnchor(document: Document): readonly Alias[] {
  const lost: Alias[] = [];
  visit(document, {
    Alias(_key, alias) {
      if (alias.resolve(document) === undefined) lost.push(alias);
    },
  });
  return lost;
}

/** A document that contains only comments, such as after a trailing `---`. */
const isEmpty = ({ contents }: Document): boolean =>
  contents === null || (isScalar(contents) && contents.value === null);

function textOf(map: YAMLMap, key: string): string | undefined {
  const value = map.get(key);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function offsetAt(map: YAMLMap, key: string): number {
  const pair = map.items.find((item) => isScalar(item.key) && item.key.value === key);
  return isScalar(pair?.key) ? offsetOf(pair.key) : offsetOf(map);
}

function textIn(value: unknown, key: string): string | undefined {
  const text = asRecord(value)[key];
  return typeof text === 'string' ? text : undefined;
}

const nameOf = (value: unknown): string | undefined => textIn(asRecord(value)['metadata'], 'name');

function offsetOfPath(offsets: ReadonlyMap<string, number>, path: string): number | undefined {
  for (let at = path; at !== ''; at = at.replace(/(\.[\w-]+|\[[^[\]]*\]|^[\w-]+)$/, '')) {
    const offset = offsets.get(at);
    if (offset !== undefined) return offset;
    if (!/(\.[\w-]+|\[[^[\]]*\]|^[\w-]+)$/.test(at)) return undefined;
  }
  return undefined;
}
