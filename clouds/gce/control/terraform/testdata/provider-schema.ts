/** The arguments of a resource or block of Terraform's Google provider, by name. */
export type BlockSchema = Readonly<Record<string, ArgumentSchema>>;

export interface ArgumentSchema {
  /** `string`, `number`, `boolean`, `stringList`, `stringMap` …; absent for a block. */
  readonly type?: string;
  readonly isRequired?: true;
  /** The arguments of a block. */
  readonly block?: BlockSchema;
}

export interface ProviderSchema {
  readonly source: string;
  readonly resources: Readonly<Record<string, BlockSchema>>;
}
