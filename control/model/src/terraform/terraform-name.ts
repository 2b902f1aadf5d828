/**
 * A name as Terraform takes it: letters, digits, `_` and `-`, and no digit first. Like kops's
 * (upup/pkg/fi/cloudup/terraformWriter), so that a configuration of kops's is taken over without a move.
 */
export function terraformName(name: string): string {
  const clean = name
    .replaceAll('.', '-')
    .replaceAll('/', '--')
    .replaceAll(':', '_')
    .replaceAll(/[^A-Za-z0-9_-]/g, '_');
  return /^\d/.test(clean) ? `prefix_${clean}` : clean;
}
