import { differences } from '@kopsctl/tasks/differences.ts';
import { expect, test } from 'vitest';
import { grantsOf } from './policy-grants.ts';

const Version = '2012-10-17';

test('the order of statements and actions, and how they are gathered, makes no difference', () => {
  const wanted = {
    Version,
    Statement: [
      { Action: ['s3:Get*', 's3:PutObject'], Effect: 'Allow', Resource: ['a', 'b'] },
      { Action: 'ec2:AttachVolume', Effect: 'Allow', Resource: '*', Condition: { Bool: { y: ['1'], x: '2' } } },
    ],
  };
  const found = {
    Version,
    Statement: [
      { Action: ['ec2:AttachVolume'], Effect: 'Allow', Resource: ['*'], Condition: { Bool: { x: '2', y: '1' } } },
      { Action: ['s3:PutObject', 's3:Get*'], Effect: 'Allow', Resource: 'b' },
      { Action: ['s3:PutObject', 's3:Get*'], Effect: 'Allow', Resource: 'a' },
    ],
  };
  expect(differences(grantsOf(wanted), grantsOf(found))).toEqual([]);
});

test('an action, a resource, a condition and an effect make one', () => {
  const statement = { Action: ['s3:Get*'], Effect: 'Allow', Resource: 'a' };
  const pathsOf = (change: object) =>
    differences(grantsOf({ Statement: [{ ...statement, ...change }] }), grantsOf({ Statement: statement })).map(
      ({ path }) => path,
    );
  expect(pathsOf({ Action: ['s3:Get*', 's3:PutObject'] })).toEqual(['Allow on a.s3:PutObject']);
  expect(pathsOf({ Resource: ['a', 'b'] })).toEqual(['Allow on b']);
  expect(pathsOf({ Condition: { Bool: { x: '1' } } })).toEqual([
    'Allow on a',
    'Allow on a with {"Condition":{"Bool":{"x":"1"}}}',
  ]);
  expect(pathsOf({ Effect: 'Deny' })).toEqual(['Allow on a', 'Deny on a']);
});

test('statements about all but some actions or resources, or about whom, are compared as they are', () => {
  const denied = { Effect: 'Deny', NotAction: ['iam:*'], Resource: '*' };
  const trusted = { Effect: 'Allow', Principal: { Service: ['b', 'a'] }, Action: 'sqs:SendMessage' };
  expect(grantsOf({ Statement: [denied, trusted] })).toEqual({
    'Deny on * with {"NotAction":"iam:*"}': { '': true },
    'Allow on  with {"Principal":{"Service":["a","b"]}}': { 'sqs:SendMessage': true },
  });
});
