/** The arguments of a resource or block of a provider of Terraform, by name. */
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
  /** By type; those that only read are named `data.TYPE`. */
  readonly resources: Readonly<Record<string, BlockSchema>>;
}
