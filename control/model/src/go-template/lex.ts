/** A part of an action of a Go template. */
export interface Token {
  readonly kind: 'number' | 'string' | 'field' | 'variable' | 'word' | 'symbol';
  /** For a string, its content; for a field or variable, its name. */
  readonly text: string;
  /** No blank is before it: `.a.b` is one value, `.a .b` are two. */
  readonly isAttached: boolean;
}

/** A piece of a template: text that stays as it is, or an action between `{{` and `}}`. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'action'; readonly text: string; readonly line: number };

/** A fault in a template, with its line. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  constructor(message: string, line?: number) {
    super(line === undefined ? message : `line ${line}: ${message}`);
  }
}

/** Splits a template. `{{-` and `-}}` take the white space beside them away, and comments are left out. */
export function pieces(template: string): readonly Piece[] {
  const found: Piece[] = [];
  let rest = template;
  let line = 1;
  let trimsNext = false;
  const pushText = (text: string, trimsEnd: boolean) => {
    const kept = trimsNext ? text.trimStart() : text;
    const shown = trimsEnd ? kept.trimEnd() : kept;
    if (shown !== '') found.push({ kind: 'text', text: shown });
  };
  for (;;) {
    const start = rest.indexOf('{{');
    if (start === -1) break;
    const before = rest.slice(0, start);
    line += linesIn(before);
    const end = endOfAction(rest, start + 2, line);
    const inner = rest.slice(start + 2, end);
    const trimsBefore = /^-\s/.test(inner);
    const trimsAfter = /\s-$/.test(inner);
    pushText(before, trimsBefore);
    trimsNext = trimsAfter;
    const text = inner.slice(trimsBefore ? 1 : 0, trimsAfter ? -1 : undefined).trim();
    if (!text.startsWith('/*')) found.push({ kind: 'action', text, line });
    line += linesIn(inner);
    rest = rest.slice(end + 2);
  }
  pushText(rest, false);
  return found;
}

const linesIn = (text: string): number => text.split('\n').length - 1;

/** Where `}}` ends an action; in a string or comment it does not. */
function endOfAction(template: string, from: number, line: number): number {
  const ends = /"(?:\\.|[^"\\\n])*"|`[^`]*`|\/\*[^]*?\*\/|\}\}/g;
  ends.lastIndex = from;
  for (let found = ends.exec(template); found !== null; found = ends.exec(template)) {
    if (found[0] === '}}') return found.index;
  }
  throw new TemplateError('an action is not closed by }}', line);
}

const TOKEN =
  /"(?<quoted>(?:\\.|[^"\\])*)"|`(?<raw>[^`]*)`|(?<number>[-+]?\d+(?:\.\d+)?)|\.(?<field>[A-Za-z_][\w]*)|\$(?<variable>\w*)|(?<word>[A-Za-z_]\w*)|(?<symbol>:=|[=|(),.])/y;

/** The tokens of an action. @throws TemplateError for what no template may hold */
export function tokens(action: string, line: number): readonly Token[] {
  const found: Token[] = [];
  let at = 0;
  while (at < action.length) {
    const blank = /^\s*/.exec(action.slice(at))?.[0].length ?? 0;
    at += blank;
    if (at >= action.length) break;
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(action);
    if (match === null) throw new TemplateError(`'${action.slice(at, at + 20)}' cannot be read`, line);
    found.push({ ...tokenOf(match), isAttached: blank === 0 && at > 0 });
    at = TOKEN.lastIndex;
  }
  return found;
}

function tokenOf({ 0: whole, groups = {} }: RegExpExecArray): Omit<Token, 'isAttached'> {
  const { quoted, raw, number, field, variable, word } = groups;
  if (quoted !== undefined) return { kind: 'string', text: String(JSON.parse(`"${quoted}"`)) };
  if (raw !== undefined) return { kind: 'string', text: raw };
  if (number !== undefined) return { kind: 'number', text: number };
  if (field !== undefined) return { kind: 'field', text: field };
  if (variable !== undefined) return { kind: 'variable', text: variable };
  if (word !== undefined) return { kind: 'word', text: word };
  return { kind: 'symbol', text: whole };
}
