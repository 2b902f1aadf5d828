import { DEFAULT_NODE_PORTS, portRange } from '../node-ports.ts';
import type { ClusterSpec, KubeAPIServerConfig } from '../cluster.ts';
import { hasGateOn } from '../feature-gate.ts';
import { kubernetesFacts, knowsSetting } from '../kubernetes-versions.ts';
import { nearestName } from '../nearest-name.ts';
import { fault, type Fault } from './fault.ts';

/** kops pkg/apis/kops/validation/validation.go, validateKubeAPIServer. */
const MODES: readonly string[] = ['ABAC', 'Webhook', 'Node', 'RBAC', 'AlwaysAllow', 'AlwaysDeny'];

/** Settings with which no API server starts, or which would be replaced silently. */
export function* validateApiServer(spec: ClusterSpec): Iterable<Fault> {
  const { kubeAPIServer: config = {} } = spec;
  for (const [field, message, hint] of [
    ...authorization(spec, config),
    ...files(config),
    ...authentication(spec, config),
    ...others(spec, config),
  ]) {
    yield fault(`spec.kubeAPIServer.${field}`, message, hint);
  }
}

/** A field below `spec.kubeAPIServer`, what is wrong with it, and what to do. */
type ServerFault = readonly [field: string, message: string, hint: string];

function* authorization(spec: ClusterSpec, config: KubeAPIServerConfig): Iterable<ServerFault> {
  const { authorizationMode = '', authorizationWebhookConfigFile: file = '' } = config;
  const modes = authorizationMode.split(',').filter((mode) => mode !== '');
  if (modes.includes('Webhook') && file === '') {
    yield ['authorizationWebhookConfigFile', 'must be set, because authorizationMode has Webhook', 'name a file'];
  }
  if (spec.authorization?.alwaysAllow !== undefined) return;
  for (const mode of modes.filter((one) => !MODES.includes(one))) {
    const near = nearestName(mode, MODES);
    const hint = near === undefined ? 'usually Node,RBAC' : `did you mean ${near}?`;
    yield ['authorizationMode', `expected some of ${MODES.join(', ')}, found '${mode}'`, hint];
  }
}

function* files(config: KubeAPIServerConfig): Iterable<ServerFault> {
  const {
    proxyClientCertFile,
    proxyClientKeyFile,
    auditPolicyFile = '',
    auditWebhookConfigFile: webhook = '',
  } = config;
  if ((proxyClientCertFile === undefined) !== (proxyClientKeyFile === undefined)) {
    const [has, lacks] =
      proxyClientKeyFile === undefined
        ? ['proxyClientCertFile', 'proxyClientKeyFile']
        : ['proxyClientKeyFile', 'proxyClientCertFile'];
    yield [has, `${lacks} is not set`, 'set both, or none'];
  }
  if (webhook !== '' && auditPolicyFile === '') {
    yield ['auditWebhookConfigFile', 'nothing is audited without a policy', 'set auditPolicyFile'];
  }
}

/** k8s.io/kubernetes pkg/kubeapiserver/options/authentication.go. */
function* authentication({ kubernetesVersion = '' }: ClusterSpec, config: KubeAPIServerConfig): Iterable<ServerFault> {
  const field = 'authenticationConfigFile';
  if ((config[field] ?? '') === '') return;
  const oidc = Object.keys(config).find((one) => one.startsWith('oidc'));
  if (oidc !== undefined) {
    const message = `the API server does not start with both this field and ${oidc}`;
    yield [field, message, `write what ${oidc} says into the file`];
  }
  const gate = 'StructuredAuthenticationConfiguration';
  const facts = kubernetesFacts(kubernetesVersion);
  if (facts === undefined || !knowsSetting(facts, 'kubeAPIServer', field) || hasGateOn(gate, config, facts)) return;
  const message = `kube-apiserver ${kubernetesVersion} does not start with it while the feature gate ${gate} is off`;
  yield [field, message, `set ${gate}: "true" in featureGates beside it, or remove this field`];
}

function* others(spec: ClusterSpec, config: KubeAPIServerConfig): Iterable<ServerFault> {
  const { serviceNodePortRange: ports = '', serviceClusterIPRange: services = '' } = config;
  if (ports !== '' && portRange(ports) === undefined) {
    yield ['serviceNodePortRange', `'${ports}' is not a range of ports`, `such as ${DEFAULT_NODE_PORTS}`];
  }
  if ((config.admissionControl ?? []).length > 0) {
    const message =
      'the API server does not start with both this field and enableAdmissionPlugins, which is always set';
    yield ['admissionControl', message, 'use appendAdmissionPlugins'];
  }
  if (services !== '' && spec.serviceClusterIPRange !== undefined && services !== spec.serviceClusterIPRange) {
    const message = `${services} differs from spec.serviceClusterIPRange (${spec.serviceClusterIPRange})`;
    yield ['serviceClusterIPRange', message, 'remove this field'];
  }
}
