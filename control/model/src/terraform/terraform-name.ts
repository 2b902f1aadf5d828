/**
 * Converts a name to one that Terraform accepts: letters, digits, `_` and `-`, with no digit first. As in kops
 * (upup/pkg/fi/cloudup/terraformWriter), so that a configuration of kops can be taken over without moving state.
 */
export function terraformName(name: string): string {
  const clean = name
    .replaceAll('.', '-')
    .replaceAll('/', '--')
    .replaceAll(':', '_')
    .replaceAll(/[^A-Za-z0-9_-]/g, '_');
  return /^\d/.test(clean) ? `prefix_${clean}` : clean;
}
