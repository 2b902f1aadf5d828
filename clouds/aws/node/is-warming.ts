import { metadataEndpoint, openMetadata } from './metadata.ts';

/**
 * Whether this machine is on its way into the warm pool of its group, and not into the group itself (EC2 Auto Scaling user guide,
 * "Retrieve the target lifecycle state through instance metadata"; kops upup/pkg/fi/nodeup/command.go).
 */
export async function isWarming(
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<boolean> {
  const target = await openMetadata(metadataEndpoint(env)).find('autoscaling/target-lifecycle-state', signal);
  return target?.startsWith('Warmed:') === true;
}
