import { isRecord } from '@kopsctl/tasks/record.ts';
import { TemplateError } from './lex.ts';
import type { Node, Operand, Parsed, Pipeline } from './parse.ts';
import { isList, isTrue, shown, type Value } from './values.ts';

export type TemplateFunction = (...args: readonly Value[]) => Value;

export interface Evaluation {
  readonly data: Value;
  readonly functions: Readonly<Record<string, TemplateFunction>>;
  /** Templates that others define, by name. */
  readonly templates: ReadonlyMap<string, readonly Node[]>;
  /** Fails on a field that the values lack; otherwise such a field is `<no value>`. */
  readonly failsOnMissing: boolean;
}

/** Templates may include themselves; none is nested as deeply as this. */
const MAX_DEPTH = 100;

type Scope = Map<string, Value>;

class Jump extends Error {}

/** The text that a template makes of its data. @throws TemplateError with the line of what cannot be worked out */
export function evaluate({ nodes, definitions }: Parsed, evaluation: Evaluation): string {
  const templates = new Map([...evaluation.templates, ...definitions]);
  return new Walk({ ...evaluation, templates }).run(nodes, evaluation.data, [new Map([['', evaluation.data]])]);
}

class Walk {
  readonly #evaluation: Evaluation;
  #depth = 0;

  constructor(evaluation: Evaluation) {
    this.#evaluation = evaluation;
  }

  run(nodes: readonly Node[], dot: Value, scopes: readonly Scope[]): string {
    const inner = [...scopes, new Map<string, Value>()];
    return nodes.map((node) => this.#node(node, dot, inner)).join('');
  }

  #node(node: Node, dot: Value, scopes: readonly Scope[]): string {
    switch (node.kind) {
      case 'text':
        return node.text;
      case 'action': {
        const value = this.#pipeline(node.pipeline, dot, scopes);
        return node.pipeline.variables.length > 0 ? '' : shown(value);
      }
      case 'if':
      case 'with': {
        const inner = [...scopes, new Map<string, Value>()];
        const value = this.#pipeline(node.pipeline, dot, inner);
        if (!isTrue(value)) return this.run(node.otherwise, dot, inner);
        return this.run(node.body, node.kind === 'with' ? value : dot, inner);
      }
      case 'range':
        return this.#range(node, dot, scopes);
      case 'template': {
        const value = node.pipeline === undefined ? undefined : this.#pipeline(node.pipeline, dot, scopes);
        return this.#include(node.name, value, node.line);
      }
      case 'break':
      case 'continue':
        throw new Jump(node.kind);
    }
  }

  #range(node: Extract<Node, { kind: 'if' | 'with' | 'range' }>, dot: Value, scopes: readonly Scope[]): string {
    const value = this.#pipeline({ ...node.pipeline, variables: [] }, dot, scopes);
    const entries = entriesOf(value, node.pipeline.line);
    if (entries.length === 0) return this.run(node.otherwise, dot, scopes);
    const [first, second] = node.pipeline.variables;
    let text = '';
    for (const [key, item] of entries) {
      const names: readonly (readonly [string | undefined, Value])[] =
        second === undefined
          ? [[first, item]]
          : [
              [first, key],
              [second, item],
            ];
      const own: Scope = new Map(names.flatMap(([name, of]) => (name === undefined ? [] : [[name, of] as const])));
      try {
        text += this.run(node.body, item, [...scopes, own]);
      } catch (thrown) {
        if (!(thrown instanceof Jump)) throw thrown;
        if (thrown.message === 'break') break;
      }
    }
    return text;
  }

  #include(name: string, value: Value, line: number): string {
    const nodes = this.#evaluation.templates.get(name);
    if (nodes === undefined) throw new TemplateError(`there is no template "${name}"`, line);
    if (this.#depth >= MAX_DEPTH) throw new TemplateError(`template "${name}" includes itself without end`, line);
    this.#depth++;
    try {
      return this.run(nodes, value, [new Map([['', value]])]);
    } finally {
      this.#depth--;
    }
  }

  #pipeline({ commands, variables, assigns, line }: Pipeline, dot: Value, scopes: readonly Scope[]): Value {
    let value: Value;
    commands.forEach((operands, index) => {
      value = this.#command(operands, dot, scopes, line, index === 0 ? [] : [value]);
    });
    for (const name of variables) {
      const scope = assigns ? scopes.findLast((one) => one.has(name)) : scopes.at(-1);
      if (scope === undefined) throw new TemplateError(`the variable $${name} is not declared`, line);
      scope.set(name, value);
    }
    return value;
  }

  #command(
    [first, ...rest]: readonly Operand[],
    dot: Value,
    scopes: readonly Scope[],
    line: number,
    piped: readonly Value[],
  ): Value {
    if (first === undefined) throw new TemplateError('a value is missing', line);
    if (first.kind !== 'call') {
      if (rest.length + piped.length > 0) throw new TemplateError('only a function takes arguments', line);
      return this.#operand(first, dot, scopes, line);
    }
    // These two look at no more arguments than they need.
    if (first.name === 'and' || first.name === 'or') {
      let value: Value;
      for (const operand of rest) {
        value = this.#operand(operand, dot, scopes, line);
        if (isTrue(value) === (first.name === 'or')) return value;
      }
      return piped.length > 0 ? piped[0] : value;
    }
    return this.#call(first.name, [...rest.map((one) => this.#operand(one, dot, scopes, line)), ...piped], line);
  }

  #call(name: string, args: readonly Value[], line: number): Value {
    if (name === 'include') return this.#include(shown(args[0]), args[1], line);
    const known = Object.hasOwn(this.#evaluation.functions, name) ? this.#evaluation.functions[name] : undefined;
    if (known === undefined) throw new TemplateError(`there is no function ${name}`, line);
    try {
      return known(...args);
    } catch (error) {
      throw new TemplateError(`${name}: ${error instanceof Error ? error.message : String(error)}`, line);
    }
  }

  #operand(operand: Operand, dot: Value, scopes: readonly Scope[], line: number): Value {
    switch (operand.kind) {
      case 'constant':
        return operand.value;
      case 'call':
        return this.#call(operand.name, [], line);
      case 'group':
        return this.#fields(this.#pipeline(operand.pipeline, dot, scopes), operand.fields, line);
      case 'data': {
        const { variable, fields } = operand;
        if (variable === undefined) return this.#fields(dot, fields, line);
        const scope = scopes.findLast((one) => one.has(variable));
        if (scope === undefined) throw new TemplateError(`the variable $${variable} is not declared`, line);
        return this.#fields(scope.get(variable), fields, line);
      }
    }
  }

  #fields(value: Value, fields: readonly string[], line: number): Value {
    let found = value;
    for (const field of fields) {
      if (isRecord(found) && Object.hasOwn(found, field)) found = found[field];
      else if (this.#evaluation.failsOnMissing || (!isRecord(found) && found !== undefined && found !== null)) {
        throw new TemplateError(`the values have no .${fields.join('.')}`, line);
      } else found = undefined;
    }
    return found;
  }
}

function entriesOf(value: Value, line: number): readonly (readonly [Value, Value])[] {
  if (value === undefined || value === null) return [];
  if (isList(value)) return value.map((item, index) => [index, item]);
  if (isRecord(value)) return Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (typeof value === 'number') return Array.from({ length: value }, (_, index) => [index, index]);
  throw new TemplateError('range needs a list, a map or a number', line);
}
