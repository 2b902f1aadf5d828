import { map, object, type ValueOf } from './field.ts';

export const assets = object({ containerProxy: 'string', containerRegistry: 'string', fileRepository: 'string' });

/** Mirrors that machines download from. */
export interface Assets extends ValueOf<typeof assets> {}

/** Settings of the Terraform target. */
export const target = object({
  terraform: object({ filesProviderExtraConfig: map('string'), providerExtraConfig: map('string') }),
});
