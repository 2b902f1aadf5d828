import { pieces, TemplateError, type Token, tokens } from './lex.ts';

/** A value that an action names. */
export type Operand =
  | { readonly kind: 'constant'; readonly value: string | number | boolean | null }
  /** `.` or `$name`, and the fields that are read from it. */
  | { readonly kind: 'data'; readonly variable?: string; readonly fields: readonly string[] }
  | { readonly kind: 'call'; readonly name: string }
  | { readonly kind: 'group'; readonly pipeline: Pipeline; readonly fields: readonly string[] };

/** Commands, each of which gets what the one before it returned as its last argument. */
export interface Pipeline {
  readonly commands: readonly (readonly Operand[])[];
  /** The variables that get the value. */
  readonly variables: readonly string[];
  readonly assigns: boolean;
  readonly line: number;
}

export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'action'; readonly pipeline: Pipeline }
  | {
      readonly kind: 'if' | 'with' | 'range';
      readonly pipeline: Pipeline;
      readonly body: readonly Node[];
      readonly otherwise: readonly Node[];
    }
  | { readonly kind: 'template'; readonly name: string; readonly pipeline: Pipeline | undefined; readonly line: number }
  | { readonly kind: 'break' | 'continue' };

export interface Parsed {
  readonly nodes: readonly Node[];
  /** The templates that `define` and `block` name. */
  readonly definitions: ReadonlyMap<string, readonly Node[]>;
}

/** Parses a Go template (text/template). @throws TemplateError with the line of the first fault */
export function parseTemplate(template: string): Parsed {
  const definitions = new Map<string, readonly Node[]>();
  const reader = new Reader(template, definitions);
  const { nodes, end } = reader.list();
  if (end !== undefined) throw new TemplateError(`{{${end.text}}} closes nothing`, end.line);
  return { nodes, definitions };
}

interface End {
  readonly text: string;
  readonly line: number;
}

class Reader {
  readonly #pieces: ReturnType<typeof pieces>;
  readonly #definitions: Map<string, readonly Node[]>;
  #at = 0;

  constructor(template: string, definitions: Map<string, readonly Node[]>) {
    this.#pieces = pieces(template);
    this.#definitions = definitions;
  }

  /** Nodes up to `end` or `else`, or to the end of the template. */
  list(): { readonly nodes: readonly Node[]; readonly end: End | undefined } {
    const nodes: Node[] = [];
    for (let piece = this.#pieces[this.#at++]; piece !== undefined; piece = this.#pieces[this.#at++]) {
      if (piece.kind === 'text') {
        nodes.push(piece);
        continue;
      }
      const { text, line } = piece;
      if (/^(end|else)\b/.test(text)) return { nodes, end: { text, line } };
      const node = this.#action(text, line);
      if (node !== undefined) nodes.push(node);
    }
    return { nodes, end: undefined };
  }

  #action(text: string, line: number): Node | undefined {
    const [, word = '', rest = ''] = /^(\w+)\b\s*([^]*)$/.exec(text) ?? [];
    switch (word) {
      case 'if':
      case 'with':
      case 'range':
        return { kind: word, pipeline: parsePipeline(rest, line), ...this.#branches(word, line) };
      case 'define':
      case 'block': {
        const [name, ...argument] = tokens(rest, line);
        if (name?.kind !== 'string') throw new TemplateError(`${word} needs a name in quotes`, line);
        this.#definitions.set(name.text, this.#body(word, line));
        if (word === 'define') return undefined;
        return { kind: 'template', name: name.text, pipeline: pipelineOf(argument, line), line };
      }
      case 'template': {
        const [name, ...argument] = tokens(rest, line);
        if (name?.kind !== 'string') throw new TemplateError('template needs a name in quotes', line);
        const pipeline = argument.length === 0 ? undefined : pipelineOf(argument, line);
        return { kind: 'template', name: name.text, pipeline, line };
      }
      case 'break':
      case 'continue':
        if (rest === '') return { kind: word };
    }
    return { kind: 'action', pipeline: parsePipeline(text, line) };
  }

  #body(word: string, line: number): readonly Node[] {
    const { nodes, end } = this.list();
    if (end?.text !== 'end') throw new TemplateError(`{{${word}}} is not closed by {{end}}`, end?.line ?? line);
    return nodes;
  }

  #branches(word: string, line: number): { readonly body: readonly Node[]; readonly otherwise: readonly Node[] } {
    const { nodes: body, end } = this.list();
    if (end === undefined) throw new TemplateError(`{{${word}}} is not closed by {{end}}`, line);
    if (end.text === 'end') return { body, otherwise: [] };
    if (end.text === 'else') return { body, otherwise: this.#body(word, line) };
    const [, chained = '', rest = ''] = /^else\s+(if|with)\b\s*([^]*)$/.exec(end.text) ?? [];
    if (chained !== 'if' && chained !== 'with') throw new TemplateError(`{{${end.text}}} cannot be read`, end.line);
    const pipeline = parsePipeline(rest, end.line);
    return { body, otherwise: [{ kind: chained, pipeline, ...this.#branches(chained, line) }] };
  }
}

const parsePipeline = (text: string, line: number): Pipeline => pipelineOf(tokens(text, line), line);

function pipelineOf(all: readonly Token[], line: number): Pipeline {
  const sign = all.findIndex(({ kind, text }) => kind === 'symbol' && (text === ':=' || text === '='));
  const variables = sign === -1 ? [] : all.slice(0, sign).filter(({ kind }) => kind === 'variable');
  const { operands, next } = commandsOf(all, sign + 1, line);
  if (next < all.length) throw new TemplateError(`'${all[next]?.text ?? ''}' is not expected here`, line);
  if (operands.some((command) => command.length === 0)) throw new TemplateError('a value is missing', line);
  return { commands: operands, variables: variables.map(({ text }) => text), assigns: all[sign]?.text === '=', line };
}

/** Reads commands up to a closing bracket or the end. */
function commandsOf(all: readonly Token[], from: number, line: number) {
  const operands: Operand[][] = [[]];
  let at = from;
  for (; at < all.length; at++) {
    const token = all[at];
    if (token === undefined || (token.kind === 'symbol' && token.text === ')')) break;
    if (token.kind === 'symbol' && token.text === '|') {
      operands.push([]);
      continue;
    }
    const read = operandAt(all, at, line);
    operands.at(-1)?.push(read.operand);
    at = read.last;
  }
  return { operands, next: at };
}

function operandAt(all: readonly Token[], at: number, line: number): { operand: Operand; last: number } {
  const token = all[at];
  const fields = (after: number): { names: readonly string[]; last: number } => {
    const names: string[] = [];
    let last = after;
    for (let next = all[last + 1]; next?.kind === 'field' && next.isAttached; next = all[last + 1]) {
      names.push(next.text);
      last++;
    }
    return { names, last };
  };
  switch (token?.kind) {
    case 'string':
      return { operand: { kind: 'constant', value: token.text }, last: at };
    case 'number':
      return { operand: { kind: 'constant', value: Number(token.text) }, last: at };
    case 'field': {
      const { names, last } = fields(at);
      return { operand: { kind: 'data', fields: [token.text, ...names] }, last };
    }
    case 'variable': {
      const { names, last } = fields(at);
      return { operand: { kind: 'data', variable: token.text, fields: names }, last };
    }
    case 'word':
      return { operand: wordOperand(token.text), last: at };
    case 'symbol':
      if (token.text === '.') return { operand: { kind: 'data', fields: [] }, last: at };
      if (token.text === '(') {
        const { operands, next } = commandsOf(all, at + 1, line);
        if (all[next]?.text !== ')') throw new TemplateError('a bracket is not closed', line);
        const { names, last } = fields(next);
        const pipeline: Pipeline = { commands: operands, variables: [], assigns: false, line };
        return { operand: { kind: 'group', pipeline, fields: names }, last };
      }
      break;
    case undefined:
  }
  throw new TemplateError(`'${token?.text ?? ''}' is not expected here`, line);
}

function wordOperand(word: string): Operand {
  if (word === 'true' || word === 'false') return { kind: 'constant', value: word === 'true' };
  return word === 'nil' ? { kind: 'constant', value: null } : { kind: 'call', name: word };
}
