/**
 * Placeholder for the number or name of the cloud account, which a plan without a call to the cloud cannot know.
 * protokube's leader replaces it with the value from its machine's metadata service.
 */
export const ACCOUNT = '@{account}';
