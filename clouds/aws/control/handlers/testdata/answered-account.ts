import type { MiddlewareStack } from '@smithy/types';
import { type AwsCloud, openAws } from '../aws-cloud.ts';

/** A client of one AWS service, as far as its requests can be answered. */
interface Client {
  // oxlint-disable-next-line typescript/no-explicit-any -- each client has types of its own for what it is asked
  readonly middlewareStack: Pick<MiddlewareStack<any, any>, 'add'>;
}

/** An account of AWS in which a test answers every request, by the name of the SDK's command. */
export function answeredAccount(
  place: { readonly clusterName: string; readonly region?: string },
  answer: (command: string, input: object) => object,
): AwsCloud {
  const aws = openAws({ region: 'us-east-1', ...place, isStandIn: true });
  const clients: readonly Client[] = [
    aws.ec2,
    aws.ec2Once,
    aws.autoScaling,
    aws.autoScalingOnce,
    aws.loadBalancing,
    aws.route53,
    aws.s3,
  ];
  for (const { middlewareStack } of clients) {
    middlewareStack.add(
      (_next, context) => async (args) => ({
        output: answer(String(context['commandName']), args.input),
        response: undefined,
      }),
      { step: 'initialize' },
    );
  }
  return aws;
}
