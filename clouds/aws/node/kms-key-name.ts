/** The ARN of a key, not of an alias: a policy cannot name those. */
const KMS_KEY = /^arn:(aws|aws-cn|aws-us-gov):kms:([a-z0-9-]+):\d{12}:key\/[A-Za-z0-9-]+$/;

export const isKmsKeyName = (name: string): boolean => KMS_KEY.test(name);
