import type { Facts } from '@kopsctl/node-plan/facts.ts';
import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import type { CloudMachine, CloudVolume, Observed } from '@kopsctl/node-cloud/node-cloud.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';

/**
 * Parsers for the responses of the metadata service, written by hand: a schema library would add a fifth to the memory
 * of an agent, and agents run on every machine.
 */
const ROLES: readonly string[] = ['ControlPlane', 'Node', 'Bastion', 'APIServer'] satisfies readonly NodeRole[];

type Fields = Readonly<Record<string, unknown>>;

export function parseInstance(answer: unknown): Facts {
  const fields = record(answer, 'the instance');
  return {
    instanceId: text(fields, 'instanceId'),
    nodeName: text(fields, 'nodeName'),
    address: text(fields, 'address'),
    zone: text(fields, 'zone'),
  };
}

export function parseMachine(answer: unknown): CloudMachine {
  const fields = record(answer, 'a machine');
  const role = text(fields, 'role');
  if (!isRole(role)) throw new TypeError(`role: found "${role}", known: ${ROLES.join(', ')}`);
  return {
    instanceId: text(fields, 'instanceId'),
    nodeName: text(fields, 'nodeName'),
    address: text(fields, 'address'),
    externalAddresses: texts(fields, 'externalAddresses'),
    role,
    instanceGroup: text(fields, 'instanceGroup'),
    running: fields['running'] === true,
    ...(typeof fields['launchedMs'] === 'number' && { launchedMs: fields['launchedMs'] }),
  };
}

export function parseVolume(answer: unknown): CloudVolume {
  const fields = record(answer, 'a volume');
  const tags = Object.entries(record(fields['tags'], 'tags')).map(([key, value]): [string, string] => [
    key,
    String(value),
  ]);
  const { sizeGiB, attachedTo } = fields;
  if (typeof sizeGiB !== 'number') throw new TypeError('sizeGiB is missing');
  return {
    id: text(fields, 'id'),
    name: text(fields, 'name'),
    sizeGiB,
    zone: text(fields, 'zone'),
    tags: Object.fromEntries(tags),
    ...(attachedTo === undefined ? {} : { attachedTo: parseAttachment(attachedTo) }),
  };
}

export function parseDevice(answer: unknown): { readonly device: string } {
  return { device: text(record(answer, 'the attachment'), 'device') };
}

/** Parses a list with its revision. */
export function parseObserved<T>(answer: unknown, parseItem: (item: unknown) => T): Observed<T> {
  const fields = record(answer, 'the list');
  if (!Array.isArray(fields['items'])) throw new TypeError('items is missing');
  return { revision: text(fields, 'revision'), items: fields['items'].map(parseItem) };
}

/** Parses the reason of a refusal. */
export function parseRefusal(answer: unknown): string {
  return text(record(answer, 'the refusal'), 'error');
}

function parseAttachment(answer: unknown): NonNullable<CloudVolume['attachedTo']> {
  const fields = record(answer, 'attachedTo');
  return {
    instanceId: text(fields, 'instanceId'),
    address: text(fields, 'address'),
    device: text(fields, 'device'),
  };
}

function isRole(role: string): role is NodeRole {
  return ROLES.includes(role);
}

function record(value: unknown, what: string): Fields {
  if (!isRecord(value)) throw new TypeError(`${what} is not an object`);
  return { ...value };
}

function text(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string') throw new TypeError(`${name} is missing`);
  return value;
}

function texts(fields: Fields, name: string): readonly string[] {
  const value = fields[name];
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string'))
    throw new TypeError(`${name} is missing`);
  return value;
}
