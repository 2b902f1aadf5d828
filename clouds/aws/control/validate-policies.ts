import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { fault, type Fault } from '@kopsctl/spec/validate/fault.ts';

/** The roles of machines as policies name them; v1alpha2 says master. */
const POLICY_ROLES: readonly string[] = ['control-plane', 'master', 'node', 'apiserver', 'bastion'];

const POLICY_ARN = /^arn:[^:]+:[^:]+:[^:]*:[^:]*:policy\/.+$/;
const PERSON_ARN = /^arn:[^:]+:[^:]+:[^:]*:[^:]*:(role|user)\/.+$/;

/** Policies, and the roles and service accounts that they are for (kops pkg/apis/kops/validation/validation.go and aws.go). */
export function* validatePolicies(spec: ClusterSpec): Iterable<Fault> {
  const { additionalPolicies = {}, externalPolicies = {} } = spec;
  // Policies for a role that does not exist would be left out silently.
  for (const [field, policies] of Object.entries({ additionalPolicies, externalPolicies })) {
    for (const role of Object.keys(policies).filter((one) => !POLICY_ROLES.includes(one))) {
      yield fault(`spec.${field}.${role}`, `'${role}' is not a role of machines`, `use ${POLICY_ROLES.join(', ')}`);
    }
  }
  for (const [field, policies] of Object.entries({ additionalPolicies, externalPolicies })) {
    if (!('master' in policies && 'control-plane' in policies)) continue;
    const why = 'control-plane is the same role under another name, and has policies too';
    yield fault(`spec.${field}.master`, why, 'keep one of them');
  }
  for (const [role, text] of Object.entries(additionalPolicies)) {
    const why = faultOfStatements(text);
    if (why !== undefined) yield fault(`spec.additionalPolicies.${role}`, why, 'write a JSON list of IAM statements');
  }
  for (const [role, arns] of Object.entries(externalPolicies)) {
    for (const arn of arns.filter((one) => !POLICY_ARN.test(one))) {
      const hint = 'such as arn:aws:iam::123456789012:policy/NAME';
      yield fault(`spec.externalPolicies.${role}`, `'${arn}' is not the ARN of a policy`, hint);
    }
  }
  yield* accountsOf(spec);
  yield* identitiesOf(spec);
}

function faultOfStatements(text: string): string | undefined {
  let statements: unknown;
  try {
    statements = JSON.parse(text);
  } catch (thrown) {
    return `it is not JSON: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  }
  if (!Array.isArray(statements)) return 'it is not a list of statements';
  const effects = statements.map((one: unknown): unknown => Reflect.get(Object(one), 'Effect'));
  const place = effects.findIndex((effect) => effect !== 'Allow' && effect !== 'Deny');
  return place < 0 ? undefined : `the Effect of statement ${place + 1} is neither Allow nor Deny`;
}

/** Service accounts with a role of their own. */
function* accountsOf({ iam }: ClusterSpec): Iterable<Fault> {
  const accounts = iam?.serviceAccountExternalPermissions ?? [];
  const names = accounts.map(({ namespace = 'default', name = '' }) => `${namespace}/${name}`);
  for (const [index, { name = '', aws }] of accounts.entries()) {
    const path = `spec.iam.serviceAccountExternalPermissions[${index}]`;
    const [hasArns, hasInline] = [(aws?.policyARNs ?? []).length > 0, (aws?.inlinePolicy ?? '') !== ''];
    if (names.indexOf(names[index] ?? '') < index) yield fault(path, `${names[index]} is listed twice`);
    if (name.includes('*')) {
      const message = `'${name}' is not the name of one service account`;
      yield fault(`${path}.name`, message, 'list each account; only namespace may have a *');
    }
    const why = hasInline ? faultOfStatements(aws?.inlinePolicy ?? '') : undefined;
    if (why !== undefined) yield fault(`${path}.aws.inlinePolicy`, why, 'write a JSON list of IAM statements');
    if (!hasArns && !hasInline) yield fault(`${path}.aws`, 'gives no rights', 'set policyARNs or inlinePolicy');
    if (hasArns && hasInline) yield fault(`${path}.aws`, 'has policyARNs and inlinePolicy', 'keep one of them');
  }
}

/** Identities of AWS that the API knows. */
function* identitiesOf({ authentication }: ClusterSpec): Iterable<Fault> {
  const { backendMode = '', identityMappings: mappings = [] } = authentication?.aws ?? {};
  const path = 'spec.authentication.aws';
  if (mappings.length > 0 && !backendMode.includes('CRD')) {
    yield fault(`${path}.backendMode`, 'identityMappings are objects, which are not read', 'write CRD');
  }
  for (const [index, { arn = '' }] of mappings.entries()) {
    if (PERSON_ARN.test(arn)) continue;
    const hint = 'such as arn:aws:iam::123456789012:role/NAME';
    yield fault(`${path}.identityMappings[${index}].arn`, `'${arn}' is not the ARN of a role or user`, hint);
  }
}
