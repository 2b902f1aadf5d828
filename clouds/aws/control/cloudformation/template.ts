import { isRecord } from '@kopsctl/tasks/record.ts';
import { AWS_CLOUDFORMATION } from './aws-cloudformation.ts';
import { type CfnKind, type CfnRendering, logicalId } from './kind.ts';
import type { AwsKind } from '../kinds/aws-kinds.ts';
import { isArray, isRef } from '@kopsctl/tasks/references.ts';
import { type Json, type JsonObject, type Task, taskId } from '@kopsctl/tasks/task.ts';
import type { CloudFormation } from '@kopsctl/model/cloud.ts';
import { plain } from '../plain.ts';

/**
 * Writes the tasks of a cluster in AWS as a CloudFormation template. A value that is known only in the account, such as
 * the id of a hosted zone, becomes a parameter, and so does what another task yields that is not written. Pure; equal tasks
 * give an equal template.
 */
export function cloudFormationTemplate(
  tasks: readonly Task[],
  isWritten: (task: Task) => boolean,
  description: string,
): CloudFormation {
  const ours = tasks.filter(({ kind }) => kind in AWS_CLOUDFORMATION);
  const ids = logicalIds(ours);
  const byId = new Map(ours.map((task) => [taskId(task), task]));
  const parameters: Record<string, Json> = {};
  const tokens = new Map<string, Json>();
  const token = (value: Json): string => {
    const name = `\u0000${JSON.stringify(value)}`;
    tokens.set(name, value);
    return name;
  };
  const idOf = (kind: string, name: string): string => ids.get(`${kind}/${name}`) ?? '';
  const link = (value: Json): Json => {
    if (isRef(value)) {
      const task = byId.get(value.ref);
      if (task === undefined || value.output === undefined) return value;
      const kind = kindOf(task);
      const id = idOf(task.kind, task.name);
      const output = kind.output?.(value.output, id, propsOf(task), task.name) ?? { Ref: id };
      if (isWritten(task) || !JSON.stringify(output).includes(JSON.stringify(id))) return token(output);
      const parameter = logicalId(id, value.output);
      parameters[parameter] = {
        Type: 'String',
        Description: `${value.output} of ${value.ref}, which the stack does not make`,
      };
      return token({ Ref: parameter });
    }
    return mapValues(value, link);
  };
  const linked = (task: Task): JsonObject =>
    Object.fromEntries(Object.entries(task.props).map(([key, one]) => [key, link(one)]));
  // awsTask has checked the props against the kind; here the kind is known only as a string.
  const propsOf = (task: Task): never => linked(task) as never;
  const rendering: CfnRendering = {
    idOf,
    token,
    tasks: (kind) =>
      ours
        .filter((task) => task.kind === kind && isWritten(task))
        .map((task) => ({ name: task.name, props: propsOf(task) })),
  };

  const resources: Record<string, Json> = {};
  const left: string[] = [];
  for (const task of ours) {
    const kind = kindOf(task);
    const props = propsOf(task);
    for (const { id, type, description: about } of kind.parameters?.(props, task.name, rendering) ?? []) {
      parameters[id] = { Type: type, Description: about };
    }
    if (!isWritten(task)) continue;
    const undone = kind.left?.(props, task.name);
    if (undone !== undefined) left.push(undone);
    for (const { part = '', type, properties, after = [] } of kind.resources(task.name, props, rendering)) {
      resources[idOf(task.kind, task.name) + part] = {
        Type: type,
        ...(after.length === 0 ? {} : { DependsOn: after }),
        Properties: detokenized(plain(properties), tokens),
      };
    }
  }
  const asked = referredTo(parameters, resources);
  const template = {
    AWSTemplateFormatVersion: '2010-09-09',
    Description: description,
    ...(Object.keys(asked).length === 0 ? {} : { Parameters: asked }),
    Resources: resources,
  };
  return { template, left };
}

/** Only the parameters that the resources use: nobody is asked for a value that is not needed. */
function referredTo(parameters: JsonObject, resources: JsonObject): JsonObject {
  const text = JSON.stringify(resources);
  const used = Object.entries(parameters).filter(
    ([id]) => text.includes(`{"Ref":"${id}"}`) || text.includes(`\${${id}}`),
  );
  return Object.fromEntries(used);
}

// The tasks are those of AWS, and each kind is called only with the props of its own tasks.
const kindOf = ({ kind }: Task): CfnKind<never> => AWS_CLOUDFORMATION[kind as AwsKind] as unknown as CfnKind<never>;

/** Adds a number to logical ids of names that differ only in characters a logical id cannot contain. */
function logicalIds(tasks: readonly Task[]): ReadonlyMap<string, string> {
  const taken = new Map<string, number>();
  return new Map(
    tasks.map((task): [string, string] => {
      const id = logicalId(task.kind, task.name);
      const times = (taken.get(id) ?? 0) + 1;
      taken.set(id, times);
      return [taskId(task), times === 1 ? id : `${id}N${times}`];
    }),
  );
}

function mapValues(value: Json, each: (value: Json) => Json): Json {
  if (isArray(value)) return value.map(each);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, each(one)]));
}

function detokenized(value: Json, tokens: ReadonlyMap<string, Json>): Json {
  if (typeof value !== 'string') return mapValues(value, (one) => detokenized(one, tokens));
  const meant = tokens.get(value);
  return meant === undefined ? value : detokenized(meant, tokens);
}
