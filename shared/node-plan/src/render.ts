import { PermanentError } from '@kopsctl/tasks/failure.ts';
import { isArray } from '@kopsctl/tasks/references.ts';
import { type Json, type Task, taskId } from '@kopsctl/tasks/task.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';
import { FACT_NAMES, type Facts } from './facts.ts';

/** `@@{` (a literal `@{`) or a token with its name. */
const TOKEN = /@@\{|@\{([^}]*)\}?/g;

/**
 * Fills this node's facts into every string of the tasks' props.
 *
 * @throws one error that names the task and path of every token that is not a fact
 */
export function renderTasks(tasks: readonly Task[], facts: Facts): readonly Task[] {
  const faults: string[] = [];
  const rendered = tasks.map((task) => {
    const unknown = (path: string, token: string) => faults.push(`${taskId(task)} ${path}: ${token}`);
    const props = Object.entries(task.props).map(([key, value]) => [key, render(value, key, facts, unknown)]);
    return { ...task, props: Object.fromEntries(props) };
  });
  if (faults.length === 0) return rendered;
  throw new PermanentError({
    what: "fill this node's facts into its plan",
    why: `unknown facts: ${faults.join('; ')} (known: ${FACT_NAMES.join(', ')})`,
    next: 'the plan was made by another version: use the same version on both sides; a literal @{ is written @@{',
  });
}

/** Whether a plan holds a fact; what only looks like one because a person wrote it is escaped. */
export const usesFact = (tasks: readonly Task[], fact: keyof Facts): boolean =>
  new RegExp(`(?<!@)@\\{${fact}\\}`).test(JSON.stringify(tasks));

function render(value: Json, path: string, facts: Facts, unknown: (path: string, token: string) => void): Json {
  if (typeof value === 'string') return fillFacts(value, facts, (token) => unknown(path, token));
  if (isArray(value)) return value.map((item, index) => render(item, `${path}[${index}]`, facts, unknown));
  if (!isRecord(value)) return value;
  const fields = Object.entries(value);
  return Object.fromEntries(fields.map(([key, field]) => [key, render(field, `${path}.${key}`, facts, unknown)]));
}

function fillFacts(text: string, facts: Facts, unknown: (token: string) => void): string {
  if (!text.includes('@{')) return text;
  return text.replace(TOKEN, (token, name: string | undefined) => {
    if (token === '@@{') return '@{';
    const fact = FACT_NAMES.find((known) => known === name && token.endsWith('}'));
    const value = fact && facts[fact];
    if (value !== undefined) return value;
    unknown(token);
    return token;
  });
}
