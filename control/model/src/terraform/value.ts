/**
 * A value of Terraform's language. Lists of blocks are marked, because HCL writes them differently from lists of objects.
 */
export type Value =
  | null
  | string
  | number
  | boolean
  | Expression
  | Blocks
  | readonly Value[]
  | { readonly [key: string]: Value | undefined };

/** An expression that Terraform evaluates: a reference or a call. */
export class Expression {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Nested blocks of one type, such as `ebs { … }`. */
export class Blocks {
  readonly bodies: readonly Body[];
  constructor(bodies: readonly Body[]) {
    this.bodies = bodies;
  }
}

/** Arguments and blocks by name. Undefined ones are omitted. */
export type Body = { readonly [name: string]: Value | undefined };

export const block = (body: Body): Blocks => new Blocks([body]);
export const blocks = (bodies: readonly Body[]): Blocks | undefined =>
  bodies.length === 0 ? undefined : new Blocks(bodies);
export const expression = (text: string): Expression => new Expression(text);

/** A list; undefined if it is empty. */
export const unlessEmpty = <Item>(items: readonly Item[]): readonly Item[] | undefined =>
  items.length === 0 ? undefined : items;
