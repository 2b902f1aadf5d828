/**
 * Cuts the part of Compute Engine's schema that the tests need out of build/protos/protos.json of the npm package
 * @google-cloud/compute (12 MB), and prints it:
 *
 *   node make-gce-schema.ts PROTOS.JSON VERSION > testdata/gce-schema.json
 */
import { readFile } from 'node:fs/promises';
import type { GceSchema, Method } from './gce-schema.ts';

/** The calls of a machine. */
const METHODS = {
  Instances: ['AggregatedList', 'Get', 'AttachDisk', 'DetachDisk'],
  Disks: ['AggregatedList', 'Get'],
  ZoneOperations: ['Wait'],
};

interface Message {
  readonly fields?: Readonly<Record<string, Field>>;
  readonly nested?: Readonly<Record<string, { readonly values?: object }>>;
  readonly methods?: Readonly<Record<string, Rpc>>;
}
interface Field {
  readonly type: string;
  readonly rule?: 'repeated';
  readonly keyType?: string;
  readonly options?: Readonly<Record<string, unknown>>;
}
interface Rpc {
  readonly requestType: string;
  readonly responseType: string;
  readonly options: Readonly<Record<string, string>>;
}

const [path = '', version = ''] = process.argv.slice(2);
const { nested } = JSON.parse(await readFile(path, 'utf8'));
const all: Readonly<Record<string, Message>> = nested.google.nested.cloud.nested.compute.nested.v1.nested;
const messages: Record<string, GceSchema['messages'][string]> = {};

function visit(name: string): void {
  const message = all[name];
  if (message?.fields === undefined || messages[name] !== undefined) return;
  const { fields, nested: enums = {} } = message;
  messages[name] = Object.fromEntries(
    Object.entries(fields).map(([field, { type, rule, keyType, options = {} }]) => {
      // A nested enum with the name of the field documents its values, while the field itself is usually a string.
      const values = Object.keys(enums[field.charAt(0).toUpperCase() + field.slice(1)]?.values ?? {});
      const known = values.filter((value) => !value.startsWith('UNDEFINED_'));
      return [
        field,
        {
          type: known.length > 0 ? 'string' : type,
          ...(keyType !== undefined && { isMap: true }),
          ...(rule === 'repeated' && { isList: true }),
          ...(options['(google.api.field_behavior)'] === 'REQUIRED' && { isRequired: true }),
          ...(known.length > 0 && { values: known }),
        },
      ];
    }),
  );
  for (const { type } of Object.values(messages[name])) visit(type);
}

const methods: Method[] = [];
for (const [service, names] of Object.entries(METHODS)) {
  for (const name of names) {
    const rpc = all[service]?.methods?.[name];
    if (rpc === undefined) throw new Error(`the schema has no method ${service}.${name}`);
    const { requestType: request, responseType: response, options } = rpc;
    const verb = options['(google.api.http).get'] === undefined ? 'POST' : 'GET';
    const template = options['(google.api.http).get'] ?? options['(google.api.http).post'] ?? '';
    const body = options['(google.api.http).body']?.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    methods.push({ name: `${service}.${name}`, verb, template, request, response, ...(body && { body }) });
    visit(request);
    visit(response);
  }
}
const source = `@google-cloud/compute ${version} (Apache-2.0), build/protos/protos.json, cut by make-gce-schema.ts`;
process.stdout.write(`${JSON.stringify({ source, methods, messages })}\n`);
