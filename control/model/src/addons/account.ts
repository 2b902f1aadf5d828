/**
 * The number or name of the cloud account, in place of which protokube's leader puts what its machine's metadata says. A
 * plan that is made without a call to the cloud cannot know it.
 */
export const ACCOUNT = '@{account}';
