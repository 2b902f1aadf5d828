/** Why each of these differs between a cluster that kops made and the same cluster of kopsctl. */
export const AWS_ADOPTION_REASONS = {
  'aws/IamRolePolicy':
    'machines of kopsctl read prepared files and their plans, and write their reports; what kops allows stays allowed',
  'aws/LaunchTemplate': 'new machines start nodeup of kopsctl; machines that run keep what they were started with',
} as const satisfies Readonly<Record<string, string>>;
