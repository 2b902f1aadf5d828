import type { Output } from './output.ts';

/** Props as a handler gets them: references are replaced by the values that tasks yielded. */
export type Resolved<Value> = Value extends Output
  ? never
  : Value extends readonly (infer Item)[]
    ? readonly Resolved<Item>[]
    : Value extends object
      ? // The values of maps (tags, documents) are kept as they are.
        string extends keyof Value
        ? Value
        : { readonly [Field in keyof Value]: Resolved<Value[Field]> }
      : Value;
