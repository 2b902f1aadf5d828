import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The part of Google's schema of Compute Engine for the calls of a machine. */
export interface GceSchema {
  readonly source: string;
  readonly methods: readonly Method[];
  readonly messages: Readonly<Record<string, Readonly<Record<string, Field>>>>;
}

export interface Method {
  readonly name: string;
  readonly verb: 'GET' | 'POST';
  /** `/compute/v1/projects/{project}/zones/{zone}/disks/{disk}` */
  readonly template: string;
  readonly request: string;
  readonly response: string;
  /** The request field that is sent as the body. */
  readonly body?: string;
}

interface Field {
  readonly type: string;
  readonly isMap?: boolean;
  readonly isList?: boolean;
  readonly isRequired?: boolean;
  readonly values?: readonly string[];
}

const gceSchema = JSON.parse(readFileSync(join(import.meta.dirname, 'testdata/gce-schema.json'), 'utf8')) as GceSchema;

/** A received request, and how it violates Google's schema. */
export interface CheckedRequest {
  readonly method: Method;
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly faults: readonly string[];
}

/** Finds the method of a request, and checks path, query and body. Undefined if there is no such method. */
export function checkRequest(verb: string, url: URL, text: string): CheckedRequest | undefined {
  for (const method of gceSchema.methods) {
    const path = method.verb === verb ? pathParameters(method.template, url.pathname) : undefined;
    if (path === undefined) continue;
    const fields = gceSchema.messages[method.request] ?? {};
    const query = Object.fromEntries(url.searchParams);
    const parameters = { ...path, ...query };
    const faults = Object.entries(query).flatMap(([name, value]) => checkParameter(method, fields, name, value));
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    if (method.body === undefined && body !== undefined) faults.push(`${method.name} takes no body`);
    for (const [name, { isRequired, type }] of Object.entries(fields)) {
      const isGiven = name === method.body ? body !== undefined : parameters[name] !== undefined;
      if (isRequired === true && !isGiven) faults.push(`${method.name} lacks ${name}`);
      if (name === method.body && body !== undefined) faults.push(...checkMessage(type, body, 'body'));
    }
    return { method, parameters, body, faults };
  }
  return undefined;
}

function pathParameters(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const found = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(path);
  if (found === null) return undefined;
  return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]));
}

function checkParameter(
  { name: method, response }: Method,
  fields: Readonly<Record<string, Field>>,
  name: string,
  value: string,
): string[] {
  // The parameters of every Google API method (https://cloud.google.com/apis/docs/system-parameters).
  if (name === 'fields') return checkMask(response, parseMask(value), name);
  const type = fields[name]?.type;
  const form = { bool: /^(true|false)$/, uint32: /^\d+$/, int64: /^-?\d+$/, string: /^/ }[type ?? ''];
  if (form === undefined) return [`${method} knows no parameter ${name}`];
  return form.test(value) ? [] : [`${name}: ${value} is not of type ${type}`];
}

/** How a message violates Google's schema. 64-bit numbers are strings in JSON. */
export function checkMessage(type: string, value: unknown, where: string): string[] {
  const fields = gceSchema.messages[type];
  if (fields === undefined) return [`${where}: the excerpt of the schema has no ${type}`];
  if (!isRecord(value)) return [`${where}: found ${JSON.stringify(value)}, ${type} is an object`];
  return Object.entries(value).flatMap(([name, inside]) => {
    const field = fields[name];
    const place = `${where}.${name}`;
    if (field === undefined) return [`${place}: ${type} has no such field`];
    if (field.isMap === true) {
      if (!isRecord(inside)) return [`${place}: found ${JSON.stringify(inside)}, it is a map`];
      return Object.entries(inside).flatMap(([key, item]) => checkValue(field, item, `${place}.${key}`));
    }
    if (field.isList !== true) return checkValue(field, inside, place);
    if (!Array.isArray(inside)) return [`${place}: found ${JSON.stringify(inside)}, it is a list`];
    return inside.flatMap((item, index) => checkValue(field, item, `${place}[${index}]`));
  });
}

function checkValue({ type, values }: Field, value: unknown, where: string): string[] {
  const fault = `${where}: found ${JSON.stringify(value)}, it is ${type}`;
  switch (type) {
    case 'string':
      if (typeof value !== 'string') return [fault];
      return values === undefined || values.includes(value)
        ? []
        : [`${where}: ${value} is none of ${values.join(', ')}`];
    case 'bool':
      return typeof value === 'boolean' ? [] : [fault];
    case 'int32':
    case 'uint32':
      return Number.isInteger(value) ? [] : [fault];
    case 'int64':
    case 'uint64':
      return typeof value === 'string' && /^-?\d+$/.test(value) ? [] : [fault];
    default:
      return checkMessage(type, value, where);
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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

function checkMask(type: string, mask: Mask, where: string): string[] {
  const fields = gceSchema.messages[type] ?? {};
  return Object.entries(mask).flatMap(([name, inside]) => {
    const field = fields[name];
    if (field === undefined) return [`${where}: ${type} has no field ${name}`];
    const isMessage = gceSchema.messages[field.type] !== undefined;
    const below = field.isMap === true && inside['*'] !== undefined ? inside['*'] : inside;
    return isMessage || Object.keys(below).length === 0
      ? checkMask(field.type, below, `${where}.${name}`)
      : [`${where}: ${name} has nothing below it`];
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
