import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { accountWith, type Rule } from '@kopsctl/model/addons/access.ts';
import type { AddonObject } from '@kopsctl/model/addons/addon-object.ts';
import { CONTROL_PLANE_ONLY, onlyOn } from '@kopsctl/model/addons/control-plane-only.ts';
import { customKind } from '@kopsctl/model/addons/custom-kind.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { completedValue } from '@kopsctl/model/completed-value.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import { runAs, UNPRIVILEGED } from '@kopsctl/model/pod-security.ts';
import { clusterIdOf, readsFile } from '../authenticator-cluster-id.ts';
import { IAM_AUTHENTICATOR_DIR, IAM_AUTHENTICATOR_UID } from '../iam-authenticator-files.ts';

const NAME = 'aws-iam-authenticator';
const GROUP = 'iamauthenticator.k8s.aws';
/** Its own configuration, which a person keeps in a ConfigMap of this name in kube-system. */
const CONFIG_DIR = '/etc/aws-iam-authenticator';
const STATE_DIR = '/var/aws-iam-authenticator';

const RULES: readonly Rule[] = [
  { group: GROUP, resources: ['iamidentitymappings'], verbs: ['get', 'list', 'watch'] },
  { group: GROUP, resources: ['iamidentitymappings/status'], verbs: ['patch', 'update'] },
  { group: '', resources: ['events'], verbs: ['create', 'update', 'patch'] },
  { group: '', resources: ['configmaps'], verbs: ['list', 'watch'] },
  { group: '', resources: ['configmaps'], names: ['aws-auth'], verbs: ['get'] },
];

/**
 * The webhook through which API servers accept AWS identities as users (kops addon authentication.aws). Each API server
 * asks the one on its own machine, which proves itself with a certificate that the machine has issued.
 */
export function iamAuthenticatorObjects(facts: ClusterFacts, groups: readonly InstanceGroup[]): readonly AddonObject[] {
  const { identityMappings = [] } = facts.spec.authentication?.aws ?? {};
  const labels = { 'k8s-app': NAME };
  return [
    customKind({ group: GROUP, kind: 'IAMIdentityMapping', version: 'v1alpha1', hasStatus: true }),
    ...accountWith(NAME, NAME, RULES),
    daemonSet(facts, groups, labels),
    ...identityMappings.map((mapping, index) => ({
      apiVersion: `${GROUP}/v1alpha1`,
      kind: 'IAMIdentityMapping',
      metadata: { name: `iam-identity-mapping-${index}`, labels },
      spec: mapping,
    })),
  ];
}

function daemonSet(
  facts: ClusterFacts,
  groups: readonly InstanceGroup[],
  labels: Readonly<Record<string, string>>,
): AddonObject {
  const wished = facts.spec.authentication?.aws ?? {};
  const { backendMode } = wished;
  const hasFile = readsFile(wished);
  const clusterId = clusterIdOf(wished, facts.clusterName);
  const at = (field: 'image' | 'cpuRequest' | 'memoryRequest' | 'memoryLimit') =>
    completedValue(`spec.authentication.aws.${field}`, wished[field]);
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: NAME, namespace: 'kube-system', labels },
    spec: {
      selector: { matchLabels: labels },
      updateStrategy: { type: 'RollingUpdate' },
      template: {
        metadata: { labels },
        spec: {
          affinity: groups.some((group) => roleOf(group) === 'APIServer')
            ? onlyOn('control-plane', 'api-server')
            : CONTROL_PLANE_ONLY,
          tolerations: [{ operator: 'Exists' }],
          // Logging in needs it, even while there is no pod network.
          hostNetwork: true,
          priorityClassName: 'system-node-critical',
          serviceAccountName: NAME,
          securityContext: runAs(IAM_AUTHENTICATOR_UID),
          containers: [
            {
              name: NAME,
              image: at('image'),
              args: [
                'server',
                ...(hasFile ? [`--config=${CONFIG_DIR}/config.yaml`] : []),
                ...(clusterId === undefined ? [] : [`--cluster-id=${clusterId}`]),
                `--state-dir=${STATE_DIR}`,
                '--kubeconfig-pregenerated=true',
                ...(backendMode === undefined ? [] : [`--backend-mode=${backendMode}`]),
              ],
              livenessProbe: { httpGet: { host: '127.0.0.1', path: '/healthz', port: 21362, scheme: 'HTTPS' } },
              resources: {
                requests: { cpu: at('cpuRequest'), memory: at('memoryRequest') },
                limits: {
                  memory: at('memoryLimit'),
                  ...(wished.cpuLimit === undefined ? {} : { cpu: wished.cpuLimit }),
                },
              },
              securityContext: UNPRIVILEGED,
              volumeMounts: [
                ...(hasFile ? [{ mountPath: CONFIG_DIR, name: 'config', readOnly: true }] : []),
                { mountPath: STATE_DIR, name: 'state', readOnly: true },
              ],
            },
          ],
          volumes: [
            ...(hasFile ? [{ name: 'config', configMap: { name: NAME } }] : []),
            { name: 'state', hostPath: { path: IAM_AUTHENTICATOR_DIR } },
          ],
        },
      },
    },
  };
}
