import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';

/**
 * Says on its output whom AWS takes it for: `arn …`, or `nobody` where the SDK finds no credentials. A program of its own, because
 * what the SDK looks at are the environment and the files of a process.
 */
const client = new STSClient({ maxAttempts: 1 });
try {
  const { Arn } = await client.send(new GetCallerIdentityCommand());
  process.stdout.write(`arn ${Arn}\n`);
} catch (error) {
  if (!(error instanceof Error) || error.name !== 'CredentialsProviderError') throw error;
  process.stdout.write('nobody\n');
}
