import { ActionableError } from '@kopsctl/errors/actionable-error.ts';

/** What a line says besides its message. An undefined value is left out. */
export type LogFields = Readonly<Record<string, unknown>>;

export interface LogEntry {
  readonly subject: string;
  readonly message: string;
  readonly fields: LogFields;
}

/** journald splits a line of more than 48 KiB (journald.conf(5): LineMax), and the rest has no priority. */
const MAX_VALUE_CHARACTERS = 4096;

/** An error that is its own cause must not hang the agent. */
const MAX_CAUSES = 10;

/**
 * The text of one line: `etcd-manager main: add-member peer=b`. Values come from clouds, stores and other machines, so
 * everything that could start another line or steer a terminal is escaped.
 */
export function logLine({ subject, message, fields }: LogEntry): string {
  const pairs = Object.entries(fields).map(([name, value]) => ` ${escaped(name)}=${quoted(textOf(value))}`);
  return `${escaped(subject)}: ${escaped(message)}${pairs.join('')}`;
}

/** The same fields, with each error as text, and with what to do next where an error says so and no field does. */
export function withErrorTexts(fields: LogFields): LogFields {
  const texts = Object.entries(fields).map(([name, value]) => [
    name,
    value instanceof Error ? errorText(value) : value,
  ]);
  const next =
    fields['next'] ??
    Object.values(fields)
      .map(nextOf)
      .find((one) => one !== undefined);
  return { ...Object.fromEntries(texts), ...(next === undefined ? {} : { next }) };
}

/** The messages of an error and of its causes. A cause that a message already quotes is not repeated. */
export function errorText(error: unknown): string {
  let text = '';
  let one = error;
  for (let count = 0; one !== undefined && count < MAX_CAUSES; count += 1) {
    const message = messageOf(one);
    if (!text.includes(message)) text = text === '' ? message : `${text}: ${message}`;
    one = one instanceof Error ? one.cause : undefined;
  }
  return text;
}

/** An AggregateError, such as that of a connection tried at several addresses, often has no message of its own. */
function messageOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.message === '') return thrown.errors.map(messageOf).join(', ');
  return thrown instanceof Error ? thrown.message : String(thrown);
}

function nextOf(value: unknown): string | undefined {
  let one = value;
  for (let count = 0; one instanceof Error && count < MAX_CAUSES; count += 1) {
    if (one instanceof ActionableError) return one.next;
    one = one.cause;
  }
  return undefined;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

function quoted(text: string): string {
  const isCut = text.length > MAX_VALUE_CHARACTERS;
  const shown = isCut ? `${text.slice(0, MAX_VALUE_CHARACTERS)}…` : text;
  return /^[^\s"=\\\p{C}\p{Z}]+$/u.test(shown) ? shown : escaped(JSON.stringify(shown));
}

/** Control and format characters (terminal sequences, reversed text) and every kind of line end, as `\u001b`. */
function escaped(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => `\\u${hex(character.charCodeAt(at))}`).join(''),
  );
}

function hex(code: number): string {
  return code.toString(16).padStart(4, '0');
}
