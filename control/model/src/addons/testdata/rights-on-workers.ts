import type { AddonObject } from '../addon-object.ts';
import { NAMED_LIKE_NODE } from '../own-node-only.ts';
import { type Fields, fields, isPinned, items, nameOf, namespaceOf, podsIn, text, texts } from './placed-pods.ts';

/** What takes a thief of a worker further than the pods of that worker, if an addon there may do it. */
export type Danger =
  | 'reads Secrets'
  | 'writes Secrets'
  | 'makes or changes pods'
  | 'runs commands in pods'
  | 'changes status of pods'
  | 'changes Nodes'
  | 'changes namespaces'
  | 'grants rights'
  | 'changes webhooks'
  | 'changes kinds and APIs'
  | 'makes tokens'
  | 'approves certificates'
  | 'makes volumes'
  | 'redirects Services'
  | 'writes settings'
  | 'answers webhooks'
  | 'answers an API'
  /** A resource of an addon's own, which may be settings, addresses or routes of the whole cluster. */
  | `changes ${string}.${string}`
  | `has ${string}`;

interface Sign {
  readonly danger: Danger;
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

const READ = ['get', 'list', 'watch'];
const CHANGE = ['create', 'patch', 'update'];
const CHANGE_OR_REMOVE = [...CHANGE, 'delete', 'deletecollection'];

const DANGERS: readonly Sign[] = [
  { danger: 'reads Secrets', resources: ['secrets'], verbs: READ },
  { danger: 'writes Secrets', resources: ['secrets'], verbs: CHANGE },
  {
    danger: 'makes or changes pods',
    resources: ['cronjobs','daemonsets','deployments','jobs','pods','pods/ephemeralcontainers','podtemplates','replicasets','replicationcontrollers','statefulsets','pods/binding','bindings'],
    verbs: CHANGE,
  },
  { danger: 'runs commands in pods', resources: ['nodes/proxy', 'pods/attach', 'pods/exec', 'pods/portforward', 'pods/proxy'], verbs: ['create', 'get'] },
  // Labels and addresses of a pod can be changed through its status.
  { danger: 'changes status of pods', resources: ['pods/status'], verbs: CHANGE },
  // Labels and taints of a Node can be changed through its status too.
  { danger: 'changes Nodes', resources: ['nodes', 'nodes/status'], verbs: CHANGE_OR_REMOVE },
  { danger: 'changes namespaces', resources: ['namespaces'], verbs: CHANGE },
  { danger: 'grants rights', resources: ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'], verbs: [...CHANGE, 'bind', 'escalate'] },
  { danger: 'grants rights', resources: ['groups', 'serviceaccounts', 'users', 'userextras', 'uids'], verbs: ['impersonate'] },
  {
    danger: 'changes webhooks',
    resources: ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations', 'mutatingadmissionpolicies', 'validatingadmissionpolicies', 'mutatingadmissionpolicybindings', 'validatingadmissionpolicybindings'],
    verbs: CHANGE_OR_REMOVE,
  },
  { danger: 'changes kinds and APIs', resources: ['apiservices', 'customresourcedefinitions'], verbs: CHANGE_OR_REMOVE },
  { danger: 'makes tokens', resources: ['serviceaccounts/token'], verbs: ['create'] },
  { danger: 'approves certificates', resources: ['certificatesigningrequests/approval'], verbs: CHANGE },
  { danger: 'approves certificates', resources: ['signers'], verbs: ['approve', 'sign', 'attest'] },
  // One of a folder of the machine, claimed by a pod, reads the disk of the machine.
  { danger: 'makes volumes', resources: ['persistentvolumes'], verbs: CHANGE },
  { danger: 'redirects Services', resources: ['endpoints', 'endpointslices', 'services', 'ingresses'], verbs: CHANGE },
  { danger: 'writes settings', resources: ['configmaps'], verbs: CHANGE },
];

/** Roles of Kubernetes itself with none of these dangers. */
const HARMLESS_ROLES = [
  'extension-apiserver-authentication-reader',
  'system:auth-delegator',
  'system:kube-dns',
  'system:node-proxier',
];

/**
 * The dangers of what may run on workers, by `<namespace>/<service account>`, or `group <name>` for groups that kubelets or all
 * service accounts are in. Rights in one namespace end with `in <namespace>`; rights on objects that the role names are left out.
 */
export function rightsOnWorkers(objects: readonly AddonObject[]): Readonly<Record<string, readonly string[]>> {
  const pods = podsIn(objects);
  const onWorkers = pods.filter(({ pod }) => !isPinned(pod));
  const holders = new Set(onWorkers.map(({ account }) => account));
  // The right to make tokens of an account gives its rights.
  for (const account of [...holders].flatMap((holder) => tokensOf(holder, objects))) holders.add(account);
  const found = new Map<string, Set<string>>();
  const add = (holder: string, right: string): void => {
    found.set(holder, (found.get(holder) ?? new Set()).add(right));
  };
  for (const binding of objects.filter(({ kind }) => kind === 'ClusterRoleBinding' || kind === 'RoleBinding')) {
    const place = binding.kind === 'RoleBinding' ? ` in ${namespaceOf(binding)}` : '';
    for (const subject of items(binding['subjects'])) {
      const holder = holderOf(subject);
      if (!holder.startsWith('group ') && !holders.has(holder)) continue;
      for (const danger of dangersOf(fields(binding['roleRef']), namespaceOf(binding), objects)) {
        if (!limitedToOwn(holder, objects).includes(danger)) add(holder, `${danger}${place}`);
      }
    }
  }
  for (const { account, labels, namespace } of onWorkers) {
    for (const answers of servedBy(labels, namespace, objects)) add(account, answers);
  }
  return Object.fromEntries([...found].map(([holder, rights]) => [holder, [...rights].toSorted()]));
}

const holderOf = ({ kind, name, namespace }: Fields): string => {
  if (kind === 'ServiceAccount') return `${text(namespace)}/${text(name)}`;
  return kind === 'Group' ? `group ${text(name)}` : `user ${text(name)}`;
};

function dangersOf(reference: Fields, namespace: string, objects: readonly AddonObject[]): readonly Danger[] {
  const { kind, name } = reference;
  const role = objects.find(
    (one) => one.kind === kind && nameOf(one) === name && (kind === 'ClusterRole' || namespaceOf(one) === namespace),
  );
  if (role !== undefined) return items(role['rules']).flatMap(dangersOfRule);
  return HARMLESS_ROLES.includes(text(name)) ? [] : [`has ${text(name)}`];
}

function dangersOfRule(rule: Fields): readonly Danger[] {
  if (texts(rule['resourceNames']).length > 0) return [];
  const [groups, verbs] = [texts(rule['apiGroups']), texts(rule['verbs'])];
  const resources = texts(rule['resources']);
  const has = (held: readonly string[], wanted: readonly string[]) => held.includes('*') || wanted.some((one) => held.includes(one));
  // A group of an addon's own kinds may have any resource.
  const isOwn = groups.every((group) => group !== '*' && group.includes('.') && !group.endsWith('.k8s.io'));
  if (isOwn) {
    return has(verbs, CHANGE_OR_REMOVE) ? groups.flatMap((group) => resources.map((resource) => changesOf(resource, group))) : [];
  }
  return DANGERS.filter((one) => has(resources, one.resources) && has(verbs, one.verbs)).map(({ danger }) => danger);
}

/** The accounts of which a holder may make tokens by name. */
function tokensOf(holder: string, objects: readonly AddonObject[]): readonly string[] {
  const bound = objects.filter((one) => items(one['subjects']).some((subject) => holderOf(subject) === holder));
  const roles = bound.map((one) => fields(one['roleRef'])['name']);
  const rules = objects.filter((one) => one.kind === 'ClusterRole' && roles.includes(nameOf(one))).flatMap((one) => items(one['rules']));
  const names = rules.filter((rule) => texts(rule['resources']).includes('serviceaccounts/token')).flatMap((rule) => texts(rule['resourceNames']));
  const accounts = objects.filter((one) => one.kind === 'ServiceAccount' && names.includes(nameOf(one)));
  return accounts.map((one) => `${namespaceOf(one)}/${nameOf(one)}`);
}

const changesOf = (resource: string, group: string): Danger =>
  group === '' && /^nodes(\/|$)/.test(resource) ? 'changes Nodes' : `changes ${resource}.${group}`;

/** What this account may do to the objects of its own machine alone, because a policy says so. */
function limitedToOwn(holder: string, objects: readonly AddonObject[]): readonly Danger[] {
  const user = `request.userInfo.username == 'system:serviceaccount:${holder.replace('/', ':')}'`;
  const bound = objects.filter(({ kind }) => kind === 'ValidatingAdmissionPolicyBinding').map((one) => fields(one['spec'])['policyName']);
  return objects
    .filter((one) => one.kind === 'ValidatingAdmissionPolicy' && bound.includes(nameOf(one)))
    .map((one) => fields(one['spec']))
    .filter((spec) => items(spec['matchConditions']).every(({ expression }) => expression === user))
    .filter((spec) => items(spec['validations']).some(({ expression }) => expression === NAMED_LIKE_NODE))
    .flatMap((spec) => items(fields(spec['matchConstraints'])['resourceRules']))
    .flatMap((rule) => texts(rule['apiGroups']).flatMap((group) => texts(rule['resources']).map((one) => changesOf(one, group))));
}

/** What the API server asks these pods: as a webhook, or for a whole API. */
function servedBy(labels: Fields, namespace: string, objects: readonly AddonObject[]): readonly Danger[] {
  const services = objects.filter((one) => {
    const selector = Object.entries(fields(fields(one['spec'])['selector']));
    const isService = one.kind === 'Service' && namespaceOf(one) === namespace && selector.length > 0;
    return isService && selector.every(([key, value]) => labels[key] === value);
  });
  const isOne = ({ name }: Fields): boolean => services.some((one) => nameOf(one) === name);
  return objects.flatMap((one): readonly Danger[] => {
    const asked = items(one['webhooks']).map((hook) => fields(fields(hook['clientConfig'])['service']));
    if (asked.some(isOne)) return ['answers webhooks'];
    return one.kind === 'APIService' && isOne(fields(fields(one['spec'])['service'])) ? ['answers an API'] : [];
  });
}
