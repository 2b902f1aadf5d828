/**
 * The notation in which the API is written. A field is plain data, so that importing the whole API costs next to nothing.
 * `../read-value.ts` reads values by it, and TypeScript infers types from it.
 */
export type Field = ScalarField | EnumField | ListField | MapField | ObjectField;

/** `quantity` is a Kubernetes quantity (100m, 1Gi), `duration` a Go duration (1m30s). */
export type ScalarField =
  | 'string'
  | 'bool'
  | 'int'
  | 'int32'
  | 'number'
  | 'quantity'
  | 'duration'
  | 'int-or-string'
  | 'anything';

/** One of several words. */
export interface EnumField<Word extends string = string> {
  readonly type: 'enum';
  readonly words: readonly Word[];
}

export interface ListField<Item extends Field = Field> {
  readonly type: 'list';
  readonly item: Item;
}

export interface MapField<Item extends Field = Field> {
  readonly type: 'map';
  readonly item: Item;
}

export interface ObjectField<Fields extends FieldTable = FieldTable> {
  readonly type: 'object';
  readonly fields: Fields;
}

export interface FieldTable {
  readonly [name: string]: Field;
}

export const object = <const Fields extends FieldTable>(fields: Fields): ObjectField<Fields> => ({
  type: 'object',
  fields,
});
export const list = <const Item extends Field>(item: Item): ListField<Item> => ({ type: 'list', item });
export const map = <const Item extends Field>(item: Item): MapField<Item> => ({ type: 'map', item });
export const oneOf = <const Word extends string>(...words: readonly Word[]): EnumField<Word> => ({
  type: 'enum',
  words,
});

interface ScalarValues {
  readonly string: string;
  readonly bool: boolean;
  readonly int: number;
  readonly int32: number;
  readonly number: number;
  readonly quantity: string | number;
  readonly duration: string;
  readonly 'int-or-string': string | number;
  readonly anything: unknown;
}

/** The TypeScript type of a field's value. Every field of an object is optional, as in kops. */
export type ValueOf<F> = F extends keyof ScalarValues
  ? ScalarValues[F]
  : F extends EnumField<infer Word>
    ? Word
    : F extends ListField<infer Item>
      ? readonly ValueOf<Item>[]
      : F extends MapField<infer Item>
        ? { readonly [key: string]: ValueOf<Item> }
        : F extends ObjectField<infer Fields>
          ? { readonly [Name in keyof Fields]?: ValueOf<Fields[Name]> }
          : never;
