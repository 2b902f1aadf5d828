import { EvidenceRefused, type ProvenMachine } from '@kopsctl/node-cloud/machine-identity.ts';
import { type Element, parseXml } from '../xml.ts';

/** STS' answer to the question whose keys signed a request. */
export interface CallerIdentity {
  readonly account: string;
  readonly arn: string;
}

/** Where a role or user is. */
export interface AwsAccount {
  /** `aws`, `aws-cn`, `aws-us-gov`, … */
  readonly partition: string;
  readonly account: string;
}

/** The session of a machine's role is named after its instance (IAM user guide, "Using instance profiles"). */
const SESSION_OF_MACHINE =
  /^arn:([a-z][a-z-]*):sts::(\d{12}):assumed-role\/([A-Za-z0-9_+=,.@-]{1,64})\/(i-[0-9a-f]{8,17})$/;

/**
 * Reads the answer. Each element on the path has to occur exactly once: other parsers may read an element that occurs
 * twice differently.
 *
 * @throws if the document has another form
 */
export function readCallerIdentity(document: string): CallerIdentity {
  const answer = parseXml(document);
  if (answer.name !== 'GetCallerIdentityResponse') throw new Error(`STS answered with <${answer.name}>`);
  const result = only(answer, 'GetCallerIdentityResult');
  return { account: textIn(result, 'Account'), arn: textIn(result, 'Arn') };
}

/** The code of STS' refusal; undefined for an answer that is not a refusal. */
export function refusalCode(document: string): string | undefined {
  try {
    const answer = parseXml(document);
    if (answer.name !== 'ErrorResponse') return undefined;
    // Some services and servers have a list of errors (botocore parsers.py, QueryParser).
    const isList = answer.inside.some(({ name }) => name === 'Errors');
    const code = textIn(only(isList ? only(answer, 'Errors') : answer, 'Error'), 'Code');
    return /^[A-Za-z.]{1,64}$/.test(code) ? code : undefined;
  } catch {
    // Not from STS, but from a proxy: only the status is meaningful.
    return undefined;
  }
}

function only(element: Element, name: string): Element {
  const [found, ...others] = element.inside.filter((one) => one.name === name);
  if (found === undefined || others.length > 0) {
    throw new Error(`<${element.name}> has ${others.length + (found ? 1 : 0)} elements <${name}>, not one`);
  }
  return found;
}

function textIn(element: Element, name: string): string {
  const { text, inside } = only(element, name);
  if (inside.length > 0) throw new Error(`<${name}> has elements, not text`);
  return text;
}

/** The account of any caller. @throws if STS contradicts itself */
export function accountOf({ account, arn }: CallerIdentity): AwsAccount {
  const [, partition, ofArn] = /^arn:([a-z][a-z-]*):(?:sts|iam)::(\d{12}):/.exec(arn) ?? [];
  if (partition === undefined || ofArn !== account) throw new Error(`STS names ${arn} in the account ${account}`);
  return { partition, account };
}

/**
 * The machine that a caller is.
 *
 * @throws EvidenceRefused unless it is a machine with a role in the given account
 */
export function machineOf({ account, arn }: CallerIdentity, own: AwsAccount): ProvenMachine {
  const [, partition, ofArn, role, instanceId] = SESSION_OF_MACHINE.exec(arn) ?? [];
  if (role === undefined || instanceId === undefined) {
    throw new EvidenceRefused(`${arn} is not the role of a machine`);
  }
  if (partition !== own.partition || ofArn !== own.account || account !== own.account) {
    throw new EvidenceRefused(`${arn} (${account}) is not in the account ${own.partition}:${own.account}`);
  }
  return { instanceId, principal: role };
}
