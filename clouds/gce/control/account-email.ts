/** The email of a service account. The domain of a project (`example.com:acme`) goes behind its name. */
export function accountEmail(accountId: string, project: string): string {
  const [name = '', domain] = project.split(':').toReversed();
  return `${accountId}@${[name, ...(domain === undefined ? [] : [domain])].join('.')}.iam.gserviceaccount.com`;
}
