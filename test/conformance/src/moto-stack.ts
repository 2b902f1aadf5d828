import { CreateTagsCommand, DescribeAddressesCommand, EC2Client, type Tag } from '@aws-sdk/client-ec2';
import { ANYBODY, REGION } from './aws-account.ts';
import type { MotoServer } from './moto.ts';

export interface Template {
  readonly Parameters?: Readonly<Record<string, object>>;
  readonly Resources: Readonly<Record<string, Resource>>;
}

interface Resource {
  readonly Type: string;
  readonly Properties?: { readonly Tags?: readonly Tag[] };
}

/**
 * What moto's CloudFormation handles wrongly, and so is not given: of load balancers it knows only those for HTTP, and it refuses
 * the listeners of others.
 */
const NOT_FOR_MOTO = /^AWS::ElasticLoadBalancingV2::/;

/** A template without what moto's CloudFormation cannot take, and without what refers to that. */
export function forMoto({ Resources, ...rest }: Template): Template {
  const gone = new Set(Object.keys(Resources).filter((id) => NOT_FOR_MOTO.test(Resources[id]?.Type ?? '')));
  const kept = Object.entries(Resources)
    .filter(([id]) => !gone.has(id))
    .map(([id, one]): [string, Resource] => [id, { Type: one.Type, ...record(without(gone, one)) }])
    // An alias has no value without its load balancer.
    .filter(([, one]) => one.Type !== 'AWS::Route53::RecordSet');
  return { ...rest, Resources: Object.fromEntries(kept) };
}

function without(gone: ReadonlySet<string>, value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((one: unknown) => without(gone, one)).filter((one) => one !== undefined && !isEphemeral(one));
  }
  if (typeof value !== 'object' || value === null) return value;
  const { Ref, 'Fn::GetAtt': attribute } = record(value);
  if (gone.has(String(Ref)) || (Array.isArray(attribute) && gone.has(String(attribute[0])))) return undefined;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, without(gone, one)]));
}

/** moto launches no machine with a disk of its host (an instance store), which kopsctl takes into account for such servers. */
const isEphemeral = (value: unknown): boolean => record(value)['VirtualName'] !== undefined;

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

interface Stack {
  readonly name: string;
  readonly template: Template;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Creates a stack, which moto does before it answers, and gives its resources the tags that moto drops. */
export async function createStack({ endpoint }: Pick<MotoServer, 'endpoint'>, stack: Stack): Promise<void> {
  const given = Object.entries(stack.parameters).flatMap(([key, value], index): Field[] => [
    [`Parameters.member.${index + 1}.ParameterKey`, key],
    [`Parameters.member.${index + 1}.ParameterValue`, value],
  ]);
  const named: Field = ['StackName', stack.name];
  const body: Field = ['TemplateBody', JSON.stringify(stack.template)];
  await ask(endpoint, [['Action', 'CreateStack'], named, body, ...given]);
  const described = await ask(endpoint, [['Action', 'DescribeStacks'], named]);
  if (!described.includes('<StackStatus>CREATE_COMPLETE</StackStatus>')) throw new Error(described);
  await addTags(endpoint, stack.template, await ask(endpoint, [['Action', 'DescribeStackResources'], named]));
}

/** moto's CloudFormation drops the tags of most of EC2's resources, by which kopsctl finds them. */
async function addTags(endpoint: string, { Resources }: Template, described: string): Promise<void> {
  const ec2 = new EC2Client({ endpoint, region: REGION, credentials: ANYBODY });
  const { Addresses = [] } = await ec2.send(new DescribeAddressesCommand({}));
  for (const [member] of described.matchAll(/<member>[\s\S]*?<\/member>/g)) {
    const field = (name: string): string => new RegExp(`<${name}>([^<]*)`).exec(member)?.[1] ?? '';
    const { Type = '', Properties } = Resources[field('LogicalResourceId')] ?? {};
    const Tags = Properties?.Tags ?? [];
    if (!Type.startsWith('AWS::EC2::') || Tags.length === 0) continue;
    // An elastic IP is tagged by its allocation.
    const id = field('PhysicalResourceId');
    const allocation = Addresses.find(({ PublicIp }) => PublicIp === id)?.AllocationId;
    await ec2.send(new CreateTagsCommand({ Resources: [allocation ?? id], Tags: [...Tags] }));
  }
}

type Field = [name: string, value: string];

/** The server recognizes the service by what the request claims to be signed for. */
const AUTHORIZATION = `AWS4-HMAC-SHA256 Credential=${ANYBODY.accessKeyId}/20260101/${REGION}/cloudformation/aws4_request`;

async function ask(endpoint: string, fields: readonly Field[]): Promise<string> {
  const body = new URLSearchParams([['Version', '2010-05-15'], ...fields]);
  const reply = await fetch(endpoint, { method: 'POST', headers: { authorization: AUTHORIZATION }, body });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${fields[0]?.[1] ?? ''}: ${reply.status} ${text}`);
  return text;
}
