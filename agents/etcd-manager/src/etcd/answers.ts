import { isRecord } from '@kopsctl/tasks/record.ts';

/**
 * Reads the answers of etcd's JSON gateway, which are protobuf messages in JSON: 64-bit numbers are strings of digits,
 * and a field with the value zero, '' or false is left out. Every reader throws, naming the field, when a field has a
 * type that etcd does not send.
 */
export interface Answer {
  /** What was answered, for error messages, e.g. `etcd at https://10.0.0.1:4001 answered /kv/range`. */
  readonly about: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** @throws when the text is not a JSON object */
export function parseAnswer(text: string, about: string): Answer {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Error(`${about} with something other than JSON`, { cause });
  }
  return answerOf(value, about);
}

/** A member or cluster id. It has 64 bits, so it stays a string. @throws when it is missing or zero */
export function idIn(answer: Answer, field: string): string {
  const id = optionalIdIn(answer, field);
  if (id === undefined) throw new Error(`${answer.about} without ${field}`);
  return id;
}

/** The same, undefined when it is missing or zero. */
export function optionalIdIn({ fields, about }: Answer, field: string): string | undefined {
  const value = fields[field];
  if (value === undefined || value === '0') return undefined;
  if (typeof value === 'string' && /^\d+$/.test(value)) return value;
  throw unexpected(about, field, value);
}

/** 0 when the field is left out. */
export function numberIn({ fields, about }: Answer, field: string): number {
  const value = fields[field];
  if (value === undefined) return 0;
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
  throw unexpected(about, field, value);
}

/** '' when the field is left out. */
export function textIn({ fields, about }: Answer, field: string): string {
  const value = fields[field] ?? '';
  if (typeof value === 'string') return value;
  throw unexpected(about, field, value);
}

/** False when the field is left out. */
export function isSet({ fields, about }: Answer, field: string): boolean {
  const value = fields[field] ?? false;
  if (typeof value === 'boolean') return value;
  throw unexpected(about, field, value);
}

/** A message within the answer. @throws when it is left out */
export function messageIn({ fields, about }: Answer, field: string): Answer {
  return answerOf(fields[field], `${about}, ${field}`);
}

/** The messages of a list; none when the field is left out. */
export function messagesIn({ fields, about }: Answer, field: string): readonly Answer[] {
  return listIn(fields, field, about).map((value) => answerOf(value, `${about}, ${field}`));
}

/** The texts of a list; none when the field is left out. */
export function textsIn({ fields, about }: Answer, field: string): readonly string[] {
  return listIn(fields, field, about).map((value) => {
    if (typeof value !== 'string') throw unexpected(about, field, value);
    return value;
  });
}

function listIn(fields: Answer['fields'], field: string, about: string): readonly unknown[] {
  const value = fields[field] ?? [];
  if (!Array.isArray(value)) throw unexpected(about, field, value);
  return value;
}

function answerOf(value: unknown, about: string): Answer {
  if (!isRecord(value)) throw unexpected(about, 'an object', value);
  return { about, fields: value };
}

function unexpected(about: string, field: string, found: unknown): Error {
  return new Error(`${about}: expected ${field}, found ${JSON.stringify(found) ?? 'nothing'}`);
}
