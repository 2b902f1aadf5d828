import { GetConsoleOutputCommand } from '@aws-sdk/client-ec2';
import type { AwsCloud } from '../handlers/aws-cloud.ts';
import { errorName } from '../error-name.ts';
import { explained } from '../handlers/aws-error.ts';

/** What an instance wrote to its console, as far as EC2 keeps it: the last 64 KB. */
export async function consoleOutput(
  { ec2 }: Pick<AwsCloud, 'ec2'>,
  instanceId: string,
  signal: AbortSignal,
): Promise<string> {
  const ask = async (latest: boolean): Promise<string> => {
    const question = new GetConsoleOutputCommand({ InstanceId: instanceId, ...(latest && { Latest: true }) });
    const { Output = '' } = await ec2.send(question, { abortSignal: signal });
    return Buffer.from(Output, 'base64').toString('utf8');
  };
  try {
    return await ask(true).catch((thrown: unknown) => {
      // Instances that are not built on Nitro show their console only as it was some minutes after the last start.
      if (errorName(thrown) === 'UnsupportedOperation') return ask(false);
      throw thrown;
    });
  } catch (thrown) {
    throw explained(thrown, `read the console of the instance ${instanceId}, which needs ec2:GetConsoleOutput`);
  }
}
