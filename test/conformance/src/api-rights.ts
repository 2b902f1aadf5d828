import type { KubeClient } from '@kopsctl/kube/client.ts';
import { asArray, asRecord, asString } from '@kopsctl/kube/json.ts';

const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

/** What no list of resources names, but authorizers are asked for. */
const BESIDE: readonly Attributes[] = [
  ...['users', 'groups', 'serviceaccounts'].map((resource) => ({ verb: 'impersonate', group: '', resource })),
  ...['clusterroles', 'roles'].flatMap((resource) =>
    ['bind', 'escalate'].map((verb) => ({ verb, group: 'rbac.authorization.k8s.io', resource })),
  ),
  ...['approve', 'sign', 'attest'].map((verb) => ({ verb, group: 'certificates.k8s.io', resource: 'signers' })),
  ...VERBS.map((verb) => ({ verb, group: '', resource: 'nodes/proxy' })),
];

const PATHS = ['/metrics', '/logs', '/debug/pprof', '/configz', '/healthz', '/openapi/v2', '/version'];

interface Attributes {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly isNamespaced?: boolean;
}

/** Where the cluster's own objects are. */
const NAMESPACE = 'kube-system';
/** Where pods of users are, and events of Nodes. What a user may do only here is marked with it. */
const OTHER_NAMESPACE = 'default';

/**
 * All that the API lets a user do to objects of somebody else, one line for each resource: its group and name, and the
 * verbs. The API server's own authorizers answer, for every resource that it serves. Admission may refuse more.
 *
 * @param admin lists the resources
 */
export async function apiRights(admin: KubeClient, user: KubeClient, signal: AbortSignal): Promise<readonly string[]> {
  const asked = [...(await served(admin, signal)), ...BESIDE];
  const mayDo = new Map<string, string[]>();
  for (const attributes of asked) {
    const namespace = await namespaceOf(attributes, user, signal);
    if (namespace === undefined) continue;
    const { verb, group, resource } = attributes;
    const key = `${resource}${group === '' ? '' : `.${group}`}${namespace === NAMESPACE ? '' : ` in ${namespace}`}`;
    mayDo.set(key, [...(mayDo.get(key) ?? []), verb]);
  }
  for (const path of PATHS) {
    if (await isAllowed(user, { nonResourceAttributes: { path, verb: 'get' } }, signal)) mayDo.set(path, ['get']);
  }
  return [...mayDo].map(([key, verbs]) => `${key}: ${verbs.join(' ')}`).toSorted();
}

/** The first namespace in which that is allowed; undefined if there is none. */
async function namespaceOf(
  { verb, group, resource, isNamespaced = false }: Attributes,
  user: KubeClient,
  signal: AbortSignal,
): Promise<string | undefined> {
  const [name, subresource] = resource.split('/', 2);
  for (const namespace of isNamespaced ? [NAMESPACE, OTHER_NAMESPACE] : [NAMESPACE]) {
    const resourceAttributes = {
      namespace,
      verb,
      group,
      resource: name,
      ...(subresource !== undefined && { subresource }),
      // A collection has no name. For other verbs, authorizers look at the one object.
      ...(!['list', 'watch', 'create', 'deletecollection'].includes(verb) && { name: 'somebody-elses' }),
    };
    if (await isAllowed(user, { resourceAttributes }, signal)) return namespace;
  }
  return undefined;
}

async function isAllowed(user: KubeClient, spec: object, signal: AbortSignal): Promise<boolean> {
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec };
  const answer = await user.create('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', review, signal);
  return asRecord(asRecord(answer)['status'])['allowed'] === true;
}

/** Every resource of every group, with the verbs that it serves. */
async function served(admin: KubeClient, signal: AbortSignal): Promise<readonly Attributes[]> {
  const groups = asArray(asRecord(await admin.get('/apis', signal))['groups']).map(asRecord);
  const versions = groups.map((group) => asString(asRecord(group['preferredVersion'])['groupVersion']) ?? '');
  const found: Attributes[] = [];
  for (const path of ['/api/v1', ...versions.map((version) => `/apis/${version}`)]) {
    const group = path.startsWith('/apis/') ? (path.split('/')[2] ?? '') : '';
    for (const one of asArray(asRecord(await admin.get(path, signal))['resources']).map(asRecord)) {
      const resource = asString(one['name']) ?? '';
      const verbs = asArray(one['verbs']).flatMap((verb) => asString(verb) ?? []);
      const isNamespaced = one['namespaced'] === true;
      found.push(
        ...verbs.filter((verb) => VERBS.includes(verb)).map((verb) => ({ verb, group, resource, isNamespaced })),
      );
    }
  }
  return found;
}
