import { expect, test } from 'vitest';
import { made } from '../model/testdata/made-cluster.ts';
import { cloudFormationTemplate } from './template.ts';

test('what the stack does not make is asked for by parameters where something that it makes needs it', () => {
  const { template } = cloudFormationTemplate(made({}).tasks, ({ kind }) => kind !== 'aws/SecurityGroup', 'demo');
  const { Parameters, Resources } = template as Record<string, Record<string, { readonly Type: string }>>;
  const types = Object.values(Resources ?? {}).map(({ Type }) => Type);
  expect(types).not.toContain('AWS::EC2::SecurityGroup');
  expect(types).toContain('AWS::EC2::SecurityGroupIngress');
  expect(Parameters).toMatchObject({
    SecurityGroupNodesDemoExampleComId: {
      Type: 'String',
      Description: 'id of aws/SecurityGroup/nodes.demo.example.com, which the stack does not make',
    },
  });
  expect(JSON.stringify(Resources)).toContain('{"Ref":"SecurityGroupNodesDemoExampleComId"}');
});
