import { openLocalCloud } from '@kopsctl/clouds/local/control/supervisor/client.ts';
import { type GoogleOptions, OWN_METADATA_PORTS } from './google-protocol.ts';

interface Attachment {
  readonly machine: string;
  readonly volume: string;
  readonly deviceName: string;
}

type Local = GoogleOptions['machines'];

const linkOf = (deviceName: string): string => `/dev/disk/by-id/google-${deviceName}`;

/** Gives a machine a volume, under the name that the udev rules of Google's images make of a disk's name. */
export async function attachDisk(local: Local, { machine, volume, deviceName }: Attachment): Promise<void> {
  await openLocalCloud(local).createVolume({ name: volume, sizeGiB: 1, zone: 'local', tags: {} });
  const { device } = JSON.parse(await askOwnMetadata(local, machine, `${volume}/attach`)) as {
    readonly device: string;
  };
  await inMachine(local, machine, ['ln', '-sfn', device, linkOf(deviceName)]);
}

/** Takes it from the machine, which has unmounted it. */
export async function detachDisk(local: Local, { machine, volume, deviceName }: Attachment): Promise<void> {
  await inMachine(local, machine, ['rm', '-f', linkOf(deviceName)]);
  await askOwnMetadata(local, machine, `${volume}/detach`);
}

const askOwnMetadata = (local: Local, machine: string, path: string): Promise<string> =>
  inMachine(local, machine, [
    'curl',
    '--silent',
    '--show-error',
    '--fail',
    '--local-port',
    OWN_METADATA_PORTS,
    '--request',
    'POST',
    `http://169.254.169.254/v1/volumes/${path}`,
  ]);

async function inMachine(local: Local, machine: string, argv: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await openLocalCloud(local).exec(machine, argv);
  if (exitCode !== 0) throw new Error(`${argv.join(' ')} in ${machine}: ${stderr}`);
  return stdout;
}
