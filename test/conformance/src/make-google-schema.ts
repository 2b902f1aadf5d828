/**
 * Cuts the parts of Google's discovery documents that the tests need out of the PyPI package google-api-python-client
 * (googleapiclient/discovery_cache/documents, 5 MB for Compute Engine alone), and prints them:
 *
 *   node make-google-schema.ts DOCUMENTS VERSION > testdata/google-schema.json
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GoogleSchema, Method, Shape } from './google-schema.ts';

const COMPUTE = {
  addresses: ['aggregatedList', 'delete', 'get', 'insert', 'list', 'setLabels'],
  disks: ['aggregatedList', 'delete', 'get', 'insert', 'list', 'resize', 'setLabels', 'update'],
  firewalls: ['delete', 'get', 'insert', 'list', 'patch', 'update'],
  forwardingRules: ['delete', 'get', 'insert', 'list', 'setLabels'],
  healthChecks: ['delete', 'list'],
  globalOperations: ['get', 'wait'],
  httpHealthChecks: ['delete', 'get', 'insert', 'list', 'patch', 'update'],
  instanceGroupManagers: [
    'aggregatedList',
    'delete',
    'get',
    'insert',
    'list',
    'listErrors',
    'listManagedInstances',
    'patch',
    'recreateInstances',
    'resize',
    'setInstanceTemplate',
    'setTargetPools',
  ],
  instanceGroups: ['aggregatedList', 'delete'],
  instanceTemplates: ['delete', 'get', 'insert', 'list'],
  instances: ['aggregatedList', 'attachDisk', 'delete', 'detachDisk', 'get', 'getSerialPortOutput', 'list'],
  networks: ['delete', 'get', 'insert', 'list'],
  projects: ['get'],
  regionBackendServices: ['delete', 'get', 'insert', 'list', 'patch', 'update'],
  regionHealthChecks: ['delete', 'get', 'insert', 'list', 'patch', 'update'],
  regionOperations: ['get', 'wait'],
  routes: ['delete', 'list'],
  routers: ['delete', 'get', 'insert', 'list', 'patch', 'update'],
  subnetworks: ['aggregatedList', 'delete', 'get', 'insert', 'list', 'patch'],
  targetPools: [
    'addHealthCheck',
    'addInstance',
    'delete',
    'get',
    'insert',
    'list',
    'removeHealthCheck',
    'removeInstance',
  ],
  zoneOperations: ['get', 'wait'],
  zones: ['list'],
};

/** The calls, by document and collection. */
const CALLS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'compute.v1': COMPUTE,
  'iam.v1': { 'projects.serviceAccounts': ['create', 'delete', 'get', 'list', 'patch', 'update'] },
  'cloudresourcemanager.v1': { projects: ['getIamPolicy', 'setIamPolicy'] },
  'cloudkms.v1': {
    'projects.locations.keyRings.cryptoKeys': ['decrypt', 'encrypt', 'getIamPolicy', 'setIamPolicy'],
  },
  'dns.v1': { changes: ['create'], managedZones: ['list'], resourceRecordSets: ['list'] },
  'storage.v1': { buckets: ['get', 'getIamPolicy', 'setIamPolicy'], objects: ['get', 'insert'] },
};

interface Resources {
  readonly methods?: Readonly<Record<string, RawMethod>>;
  readonly resources?: Readonly<Record<string, Resources>>;
}
interface RawMethod {
  readonly id: string;
  readonly httpMethod: Method['verb'];
  readonly path: string;
  readonly flatPath?: string;
  readonly mediaUpload?: { readonly protocols: { readonly simple: { readonly path: string } } };
  readonly parameters?: Readonly<Record<string, Shape>>;
  readonly request?: { readonly $ref: string };
  readonly response?: { readonly $ref: string };
}

/**
 * The document of Compute Engine tells in the answers of lists what this parameter does, but does not list it. The
 * schema in @google-cloud/compute, which is made from the same source, has it.
 */
const OF_LISTS = { returnPartialSuccess: { type: 'boolean', location: 'query' } };

const [documents = '', version = ''] = process.argv.slice(2);
const methods: Method[] = [];
const shapes: Record<string, Shape> = {};

/** What a shape says, without the prose. */
function bare(shape: Shape, service: string): Shape {
  const { type, format, pattern, enum: values, required, repeated, location, annotations } = shape;
  return {
    ...(type && { type }),
    ...(format && { format }),
    ...(pattern && { pattern }),
    ...(values && { enum: values }),
    ...(required && { required }),
    ...(repeated && { repeated }),
    ...(location && { location }),
    ...(annotations && { annotations }),
    ...(shape.$ref && { $ref: `${service}.${shape.$ref}` }),
    ...(shape.items && { items: bare(shape.items, service) }),
    ...(shape.additionalProperties && { additionalProperties: bare(shape.additionalProperties, service) }),
    ...(shape.properties && { properties: each(shape.properties, service) }),
  };
}

const isComputeList = (id: string): boolean => /^compute\..*\.(list|aggregatedList)$/.test(id);

const each = (all: Readonly<Record<string, Shape>>, service: string) =>
  Object.fromEntries(Object.entries(all).map(([name, shape]) => [name, bare(shape, service)]));

for (const [document, collections] of Object.entries(CALLS)) {
  const [service = ''] = document.split('.');
  const raw = JSON.parse(await readFile(join(documents, `${document}.json`), 'utf8'));
  const visit = (name: string): void => {
    if (shapes[`${service}.${name}`] !== undefined) return;
    const shape: Shape = raw.schemas[name];
    shapes[`${service}.${name}`] = bare(shape, service);
    for (const [, below = ''] of JSON.stringify(shape).matchAll(/"\$ref":"(\w+)"/g)) visit(below);
  };
  for (const [collection, names] of Object.entries(collections)) {
    const resource = collection.split('.').reduce<Resources | undefined>((at, name) => at?.resources?.[name], raw);
    for (const name of names) {
      const method = resource?.methods?.[name];
      if (method === undefined) throw new Error(`${document} has no method ${collection}.${name}`);
      const { id, httpMethod: verb, path, flatPath = path, mediaUpload, parameters = {}, request, response } = method;
      const template = `/${raw.servicePath}${flatPath}`;
      methods.push({
        id,
        verb,
        template,
        ...(mediaUpload && { upload: mediaUpload.protocols.simple.path }),
        parameters: { ...each(parameters, service), ...(isComputeList(id) && OF_LISTS) },
        ...(request && { request: `${service}.${request.$ref}` }),
        ...(response && { response: `${service}.${response.$ref}` }),
      });
      if (request) visit(request.$ref);
      if (response) visit(response.$ref);
    }
  }
}
const source = `google-api-python-client ${version} (Apache-2.0), discovery_cache/documents, cut by make-google-schema.ts`;
process.stdout.write(`${JSON.stringify({ source, methods, shapes } satisfies GoogleSchema)}\n`);
