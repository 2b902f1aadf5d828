import type { AwsKind, AwsKinds } from './aws-kinds.ts';
import type { Output } from './output.ts';

/** Props as a handler gets them: with what other tasks yield in the place of references. */
export type Resolved<Value> = Value extends Output
  ? never
  : Value extends readonly (infer Item)[]
    ? readonly Resolved<Item>[]
    : Value extends object
      ? // Maps (tags, documents) hold what they hold.
        string extends keyof Value
        ? Value
        : { readonly [Field in keyof Value]: Resolved<Value[Field]> }
      : Value;

export type PropsOf<Kind extends AwsKind> = Resolved<AwsKinds[Kind]>;
