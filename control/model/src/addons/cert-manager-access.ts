import { accountWith, roleIn, type Rule } from './access.ts';
import type { AddonObject } from './addon-object.ts';
import { customKind } from './custom-kind.ts';

const CERTS = 'cert-manager.io';
const ACME = 'acme.cert-manager.io';
const READ = ['get', 'list', 'watch'];
const KEEP = [...READ, 'create', 'delete', 'update'];

const isReady = '.status.conditions[?(@.type=="Ready")].status';

/** cert-manager's CustomResourceDefinitions. */
export const certManagerKinds = (): readonly AddonObject[] => [
  customKind({
    group: CERTS,
    kind: 'Certificate',
    scope: 'Namespaced',
    shortNames: ['cert', 'certs'],
    hasStatus: true,
    columns: { Ready: isReady, Secret: '.spec.secretName', Issuer: '.spec.issuerRef.name' },
  }),
  customKind({
    group: CERTS,
    kind: 'CertificateRequest',
    scope: 'Namespaced',
    shortNames: ['cr', 'crs'],
    hasStatus: true,
    columns: { Ready: isReady, Issuer: '.spec.issuerRef.name' },
  }),
  customKind({ group: CERTS, kind: 'Issuer', scope: 'Namespaced', hasStatus: true, columns: { Ready: isReady } }),
  customKind({ group: CERTS, kind: 'ClusterIssuer', hasStatus: true, columns: { Ready: isReady } }),
  customKind({
    group: ACME,
    kind: 'Challenge',
    scope: 'Namespaced',
    hasStatus: true,
    columns: { State: '.status.state', Domain: '.spec.dnsName' },
  }),
  customKind({ group: ACME, kind: 'Order', scope: 'Namespaced', hasStatus: true, columns: { State: '.status.state' } }),
];

/** Permissions of the controller (cert-manager deploy/charts/cert-manager/templates/rbac.yaml, its eight roles in one). */
const CONTROLLER: readonly Rule[] = [
  {
    group: CERTS,
    resources: ['certificates', 'certificaterequests', 'clusterissuers', 'issuers'],
    verbs: [...KEEP, 'patch'],
  },
  {
    group: CERTS,
    resources: [
      'certificaterequests/finalizers',
      'certificaterequests/status',
      'certificates/finalizers',
      'certificates/status',
      'clusterissuers/status',
      'issuers/status',
    ],
    verbs: ['patch', 'update'],
  },
  {
    group: CERTS,
    resources: ['signers'],
    names: ['clusterissuers.cert-manager.io/*', 'issuers.cert-manager.io/*'],
    verbs: ['approve'],
  },
  { group: ACME, resources: ['challenges', 'orders'], verbs: [...KEEP, 'deletecollection', 'patch'] },
  {
    group: ACME,
    resources: ['challenges/finalizers', 'challenges/status', 'orders/finalizers', 'orders/status'],
    verbs: ['patch', 'update'],
  },
  { group: '', resources: ['secrets'], verbs: [...KEEP, 'patch'] },
  { group: '', resources: ['events'], verbs: ['create', 'patch'] },
  { group: '', resources: ['pods', 'services'], verbs: [...READ, 'create', 'delete'] },
  { group: 'networking.k8s.io', resources: ['ingresses'], verbs: KEEP },
  { group: 'networking.k8s.io', resources: ['ingresses/finalizers'], verbs: ['update'] },
  { group: 'gateway.networking.k8s.io', resources: ['gateways', 'httproutes'], verbs: KEEP },
  {
    group: 'gateway.networking.k8s.io',
    resources: ['gateways/finalizers', 'httproutes/finalizers'],
    verbs: ['update'],
  },
  { group: 'route.openshift.io', resources: ['routes/custom-host'], verbs: ['create'] },
  { group: 'certificates.k8s.io', resources: ['certificatesigningrequests'], verbs: [...READ, 'update'] },
  { group: 'certificates.k8s.io', resources: ['certificatesigningrequests/status'], verbs: ['patch', 'update'] },
  {
    group: 'certificates.k8s.io',
    resources: ['signers'],
    names: ['clusterissuers.cert-manager.io/*', 'issuers.cert-manager.io/*'],
    verbs: ['sign'],
  },
  { group: 'authorization.k8s.io', resources: ['subjectaccessreviews'], verbs: ['create'] },
];

/** Permissions of the CA injector. */
const INJECTOR: readonly Rule[] = [
  { group: CERTS, resources: ['certificates'], verbs: READ },
  { group: '', resources: ['secrets'], verbs: READ },
  { group: '', resources: ['events'], verbs: ['create', 'get', 'patch', 'update'] },
  {
    group: 'admissionregistration.k8s.io',
    resources: ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'],
    verbs: [...READ, 'patch', 'update'],
  },
  { group: 'apiregistration.k8s.io', resources: ['apiservices'], verbs: [...READ, 'patch', 'update'] },
  { group: 'apiextensions.k8s.io', resources: ['customresourcedefinitions'], verbs: [...READ, 'patch', 'update'] },
];

const WEBHOOK: readonly Rule[] = [
  { group: 'authorization.k8s.io', resources: ['subjectaccessreviews'], verbs: ['create'] },
];

const leads = (names: readonly string[]): readonly Rule[] => [
  { group: 'coordination.k8s.io', resources: ['leases'], names, verbs: ['get', 'patch', 'update'] },
  { group: 'coordination.k8s.io', resources: ['leases'], verbs: ['create'] },
];

/** Roles that Kubernetes aggregates into view, edit and admin: users who may edit may request certificates. */
const aggregated = (name: string, verbs: readonly string[], into: readonly string[]): AddonObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: {
    name,
    labels: Object.fromEntries(into.map((role) => [`rbac.authorization.k8s.io/aggregate-to-${role}`, 'true'])),
  },
  rules: [
    { apiGroups: [CERTS], resources: ['certificates', 'certificaterequests', 'issuers'], verbs },
    { apiGroups: [ACME], resources: ['challenges', 'orders'], verbs },
  ],
});

/** cert-manager's service accounts and their permissions. */
export const certManagerAccess = (): readonly AddonObject[] => [
  ...accountWith('cert-manager', 'cert-manager-controller', CONTROLLER),
  ...roleIn('cert-manager:leaderelection', 'cert-manager', leads(['cert-manager-controller'])),
  ...accountWith('cert-manager-cainjector', 'cert-manager-cainjector', INJECTOR),
  ...roleIn(
    'cert-manager-cainjector:leaderelection',
    'cert-manager-cainjector',
    leads(['cert-manager-cainjector-leader-election', 'cert-manager-cainjector-leader-election-core']),
  ),
  ...accountWith('cert-manager-webhook', 'cert-manager-webhook:subjectaccessreviews', WEBHOOK),
  ...roleIn('cert-manager-webhook:dynamic-serving', 'cert-manager-webhook', [
    { group: '', resources: ['secrets'], names: ['cert-manager-webhook-ca'], verbs: [...READ, 'update'] },
    { group: '', resources: ['secrets'], verbs: ['create'] },
  ]),
  aggregated('cert-manager-view', READ, ['admin', 'edit', 'view']),
  aggregated('cert-manager-edit', ['create', 'delete', 'deletecollection', 'patch', 'update'], ['admin', 'edit']),
];
