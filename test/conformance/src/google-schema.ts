import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '@kopsctl/tasks/record.ts';

/** What a value of Google's APIs looks like, in the terms of its discovery documents. */
export interface Shape {
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly required?: boolean;
  readonly repeated?: boolean;
  readonly location?: string;
  /** The methods in whose requests it must be. */
  readonly annotations?: { readonly required?: readonly string[] };
  readonly $ref?: string;
  readonly items?: Shape;
  readonly additionalProperties?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
}

export interface Method {
  /** `compute.disks.insert` */
  readonly id: string;
  readonly verb: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `/compute/v1/projects/{project}/zones/{zone}/disks` */
  readonly template: string;
  /** The same for a body that is a file: `/upload/storage/v1/b/{bucket}/o` */
  readonly upload?: string;
  readonly parameters: Readonly<Record<string, Shape>>;
  readonly request?: string;
  readonly response?: string;
}

/** The part of Google's discovery documents for the calls of kopsctl. The names of shapes begin with their service. */
export interface GoogleSchema {
  readonly source: string;
  readonly methods: readonly Method[];
  readonly shapes: Readonly<Record<string, Shape>>;
}

const schema = JSON.parse(
  readFileSync(join(import.meta.dirname, 'testdata/google-schema.json'), 'utf8'),
) as GoogleSchema;

/** A received request, and how it violates Google's schema. */
export interface CheckedRequest {
  readonly method: Method;
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** What is uploaded. */
  readonly media?: Media;
  readonly faults: readonly string[];
}

export interface Media {
  readonly type: string;
  readonly text: string;
}

/** The parameters of every method (https://cloud.google.com/apis/docs/system-parameters). */
const OF_EVERY_METHOD = ['alt', '$alt', 'fields', 'prettyPrint'];

/**
 * Finds the method of a request, and checks path, query and body. Undefined if there is no such method.
 *
 * @param type of the content, which is JSON unless it is uploaded
 */
export function checkRequest(verb: string, url: URL, text: string, type = ''): CheckedRequest | undefined {
  for (const method of schema.methods) {
    if (method.verb !== verb) continue;
    const uploaded = method.upload === undefined ? undefined : pathParameters(method.upload, url.pathname);
    if (uploaded !== undefined) return checkUpload(method, uploaded, url, { type, text });
    const path = pathParameters(method.template, url.pathname);
    if (path === undefined) continue;
    const query = Object.fromEntries(url.searchParams);
    const faults = Object.entries(query).flatMap(([name, value]) => checkParameter(method, name, value));
    for (const [name, value] of Object.entries(path)) {
      const shape = method.parameters[name];
      if (shape !== undefined) faults.push(...checkText(shape, value, name));
    }
    const missing = Object.entries(method.parameters).filter(
      ([name, { required, location }]) => required === true && location === 'query' && query[name] === undefined,
    );
    faults.push(...missing.map(([name]) => `${method.id} lacks ${name}`));
    // Google's own client sends an empty text in JSON where a method takes no body.
    const body: unknown = text === '' || text === '""' ? undefined : JSON.parse(text);
    if (method.request === undefined && body !== undefined) faults.push(`${method.id} takes no body`);
    if (method.request !== undefined && body === undefined) faults.push(`${method.id} lacks a body`);
    if (method.request !== undefined && body !== undefined) {
      faults.push(...checkMessage(method.request, body, 'body'), ...missingIn(method, body));
    }
    return { method, parameters: { ...path, ...query }, body, faults };
  }
  return undefined;
}

/** An upload of two parts: the JSON of the method, and the file. */
function checkUpload(method: Method, path: Readonly<Record<string, string>>, url: URL, content: Media): CheckedRequest {
  const { uploadType, ...query } = Object.fromEntries(url.searchParams);
  const faults = Object.entries(query).flatMap(([name, value]) => checkParameter(method, name, value));
  const [settings, media, ...more] = partsOf(content);
  if (uploadType !== 'multipart' || settings === undefined || media === undefined || more.length > 0) {
    return { method, parameters: path, body: undefined, faults: [`${method.id} wants an upload of two parts`] };
  }
  const body: unknown = JSON.parse(settings.text);
  faults.push(...checkMessage(method.request ?? '', body, 'body'), ...missingIn(method, body));
  return { method, parameters: { ...path, ...query }, body, media, faults };
}

/** The parts of a message of the type multipart/related (RFC 2387). */
function partsOf({ type, text }: Media): readonly Media[] {
  const boundary = /^multipart\/related; boundary=(\S+)$/.exec(type)?.[1];
  if (boundary === undefined) return [];
  return text
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const end = part.indexOf('\r\n\r\n');
      const [, own = ''] = /^content-type: *(.+)$/im.exec(part.slice(0, end)) ?? [];
      return { type: own, text: part.slice(end + '\r\n\r\n'.length, -'\r\n'.length) };
    });
}

function pathParameters(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const found = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '([^/:]+)')}$`).exec(path);
  if (found === null) return undefined;
  return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]));
}

function checkParameter({ id, parameters, response = '' }: Method, name: string, value: string): string[] {
  if (name === 'fields') return checkMask({ $ref: response }, parseMask(value), name);
  if (OF_EVERY_METHOD.includes(name)) return [];
  const shape = parameters[name];
  if (shape === undefined) return [`${id} knows no parameter ${name}`];
  const form = { boolean: /^(true|false)$/, integer: /^-?\d+$/, string: /^/s }[shape.type ?? ''];
  if (form?.test(value) !== true) return [`${name}: ${value} is no ${shape.type}`];
  return shape.type === 'string' ? checkText(shape, value, name) : [];
}

/** The top fields that a method wants and a request lacks. */
function missingIn({ id, request = '' }: Method, body: unknown): string[] {
  const { properties = {} } = schema.shapes[request] ?? {};
  return Object.entries(properties)
    .filter(([, { annotations }]) => annotations?.required?.includes(id) === true)
    .filter(([name]) => !isRecord(body) || body[name] === undefined)
    .map(([name]) => `${id} lacks ${name}`);
}

/** How a message violates Google's schema. Numbers of 64 bits are texts in JSON. */
export const checkMessage = (shape: string, value: unknown, where: string): string[] =>
  checkValue({ $ref: shape }, value, where);

function checkValue(shape: Shape, value: unknown, where: string): string[] {
  if (shape.$ref !== undefined) {
    const named = schema.shapes[shape.$ref];
    return named === undefined ? [`the schema has no ${shape.$ref}`] : checkValue(named, value, where);
  }
  const found = `${where}: found ${JSON.stringify(value)}`;
  switch (shape.type) {
    case 'string':
      return typeof value === 'string' ? checkText(shape, value, where) : [`${found}, it is a text`];
    case 'boolean':
      return typeof value === 'boolean' ? [] : [`${found}, it is true or false`];
    case 'integer':
      return Number.isInteger(value) ? [] : [`${found}, it is a whole number`];
    case 'number':
      return typeof value === 'number' ? [] : [`${found}, it is a number`];
    case 'array':
      return Array.isArray(value)
        ? value.flatMap((item, index) => checkValue(shape.items ?? {}, item, `${where}[${index}]`))
        : [`${found}, it is a list`];
    case 'any':
      return [];
    default:
      return isRecord(value) ? checkFields(shape, value, where) : [`${found}, it is an object`];
  }
}

function checkFields(
  { properties = {}, additionalProperties }: Shape,
  value: Readonly<Record<string, unknown>>,
  where: string,
): string[] {
  return Object.entries(value).flatMap(([name, inside]) => {
    const shape = properties[name] ?? additionalProperties;
    return shape === undefined ? [`${where} has no field ${name}`] : checkValue(shape, inside, `${where}.${name}`);
  });
}

function checkText({ enum: values, pattern, format = '' }: Shape, text: string, where: string): string[] {
  if (values !== undefined && !values.includes(text)) return [`${where}: ${text} is none of ${values.join(', ')}`];
  if (pattern !== undefined && !new RegExp(`^(?:${pattern})$`).test(text)) {
    return [`${where}: ${JSON.stringify(text)} is not of the form ${pattern}`];
  }
  return /^u?int64$/.test(format) && !/^-?\d+$/.test(text) ? [`${where}: ${text} is not a number`] : [];
}

/** The requested parts of an answer; an empty mask selects everything below. */
export interface Mask {
  readonly [name: string]: Mask;
}

/** Reads `nextPageToken,items/*\/disks(name,zone)` (https://cloud.google.com/compute/docs/api/how-tos/performance). */
export function parseMask(text: string): Mask {
  let at = 0;
  const list = (): Mask => {
    const mask: Record<string, Mask> = {};
    for (;;) {
      const name = /^[\w*]+/.exec(text.slice(at))?.[0];
      if (name === undefined) throw new Error(`fields: found ${JSON.stringify(text.slice(at))}, expected a name`);
      at += name.length;
      mask[name] = { ...mask[name], ...below() };
      if (text[at] !== ',') return mask;
      at += 1;
    }
  };
  const below = (): Mask => {
    if (text[at] === '/') {
      at += 1;
      const name = /^[\w*]+/.exec(text.slice(at))?.[0] ?? '';
      at += name.length;
      return { [name]: below() };
    }
    if (text[at] !== '(') return {};
    at += 1;
    const mask = list();
    if (text[at] !== ')') throw new Error(`fields: a parenthesis in ${text} is not closed`);
    at += 1;
    return mask;
  };
  const mask = list();
  if (at !== text.length) throw new Error(`fields: found ${JSON.stringify(text.slice(at))} at the end`);
  return mask;
}

function checkMask(shape: Shape, mask: Mask, where: string): string[] {
  const named = shape.$ref === undefined ? shape : (schema.shapes[shape.$ref] ?? {});
  if (named.items !== undefined) return checkMask(named.items, mask, where);
  const { properties = {}, additionalProperties } = named;
  return Object.entries(mask).flatMap(([name, inside]) => {
    const below = properties[name] ?? additionalProperties;
    return below === undefined ? [`${where}: there is no field ${name}`] : checkMask(below, inside, `${where}.${name}`);
  });
}

/** Selects the requested parts of an answer. */
export function masked(value: unknown, mask: Mask): unknown {
  if (Object.keys(mask).length === 0) return value;
  if (Array.isArray(value)) return value.map((item) => masked(item, mask));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inside]) => {
      const below = mask[name] ?? mask['*'];
      return below === undefined ? [] : [[name, masked(inside, below)]];
    }),
  );
}
