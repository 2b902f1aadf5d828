import { expect, test } from 'vitest';
import { hostedZoneHandler } from './dns.ts';
import { answeredAccount } from './testdata/answered-account.ts';

test.each([
  ['us-east-1', 'arn:aws:route53:::hostedzone/Z1'],
  ['cn-north-1', 'arn:aws-cn:route53:::hostedzone/Z1'],
  ['us-gov-west-1', 'arn:aws-us-gov:route53:::hostedzone/Z1'],
])('policies name a hosted zone of %s as %s', async (region, arn) => {
  const aws = answeredAccount({ clusterName: 'demo.example.com', region }, () => ({
    HostedZones: [{ Id: '/hostedzone/Z1', Name: 'example.com.' }],
  }));
  const props = { zone: 'example.com', private: false };
  const found = await hostedZoneHandler.find('zone', props, { aws }, AbortSignal.any([]));
  if (found === undefined) throw new Error('the zone is not found');
  expect(hostedZoneHandler.outputs?.('zone', props, found)).toEqual({ id: 'Z1', arn });
});
