import { read } from '../handlers/compute-calls.ts';
import type { GceCloud } from '../handlers/gce-cloud.ts';
import { doing } from '../handlers/google-error.ts';

/** Google keeps 1 MB; what explains the present state is near the end. */
const MAX_BYTES = 64 * 1024;

/**
 * The last part of what an instance wrote to its first serial port, which is its console.
 *
 * @param instanceId zone and name, `us-east1-b/nodes-x7k2`
 */
export async function serialPortOutput(
  gce: Pick<GceCloud, 'api' | 'endpoints' | 'project'>,
  instanceId: string,
  signal: AbortSignal,
): Promise<string> {
  const [zone = '', name = ''] = instanceId.split('/');
  // A negative start is counted from the end.
  const path = `projects/${gce.project}/zones/${zone}/instances/${name}/serialPort?port=1&start=-${MAX_BYTES}` as const;
  const found = await doing(`read the console of ${name}, which needs compute.instances.getSerialPortOutput`, () =>
    read(gce, path, signal),
  );
  return found?.text('contents', '') ?? '';
}
