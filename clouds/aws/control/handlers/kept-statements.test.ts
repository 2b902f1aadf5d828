import { expect, test } from 'vitest';
import { withOthers } from './kept-statements.ts';

const Version = '2012-10-17';
const KOPS = [
  { Action: ['ec2:DescribeInstanceTypes', 'ec2:DescribeInstances'], Effect: 'Allow', Resource: '*' },
  { Action: ['s3:Get*'], Effect: 'Allow', Resource: 'bucket/cluster/*' },
];
const OURS = {
  Version,
  Statement: [
    { Action: 's3:Get*', Effect: 'Allow', Resource: ['bucket/cluster/*', 'bucket/assets/*'] },
    { Action: ['ec2:DescribeInstances', 'ec2:DescribeVolumes'], Effect: 'Allow', Resource: '*' },
    { Action: 'ec2:DescribeInstances', Effect: 'Allow', Resource: '*' },
  ],
};
const ADDED = [
  { Sid: 'Kopsctl1', Action: 's3:Get*', Effect: 'Allow', Resource: ['bucket/assets/*'] },
  { Sid: 'Kopsctl2', Action: ['ec2:DescribeInstances', 'ec2:DescribeVolumes'], Effect: 'Allow', Resource: '*' },
];

test('what others allow stays as it is, and only what they do not allow is added', () => {
  expect(withOthers(OURS, { Version, Statement: KOPS })).toEqual({ Version, Statement: [...KOPS, ...ADDED] });
});

test('the second time nothing is added', () => {
  const first = withOthers(OURS, { Version, Statement: KOPS });
  expect(withOthers(OURS, first)).toEqual(first);
});

test('what we do not want any more goes, and what others have added meanwhile stays', () => {
  const [reads] = OURS.Statement;
  const more = { Action: 'sqs:ReceiveMessage', Effect: 'Allow', Resource: '*' };
  const found = { Version, Statement: [...KOPS, ...ADDED, more] };
  const less = { Version, Statement: reads === undefined ? [] : [reads] };
  expect(withOthers(less, found)['Statement']).toEqual([...KOPS, more, ADDED[0]]);
});

test('the same action under a condition, or denied, is another', () => {
  const denied = { Action: 's3:Get*', Effect: 'Deny', Resource: 'bucket/cluster/*' };
  const limited = { ...denied, Effect: 'Allow', Condition: { Bool: { 'aws:SecureTransport': 'true' } } };
  expect(withOthers({ Version, Statement: [denied, limited] }, { Version, Statement: KOPS })['Statement']).toHaveLength(
    4,
  );
});
