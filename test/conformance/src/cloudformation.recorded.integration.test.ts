import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeUpHashes } from '@kopsctl/actions/testing/make-up-hashes.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { cli, recordedFolder } from './recorded-cases.ts';

const CASES = ['minimal-aws', 'complex', 'privatecalico', 'minimal-ipv6', 'irsa', 'mixed_instances'];

interface Template {
  readonly Parameters?: Readonly<Record<string, unknown>>;
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties: unknown }>>;
}

/** The references in a template. */
function references(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(references);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]: [string, unknown]) => {
    if (key === 'Ref' && typeof one === 'string') return [one];
    if (key === 'Fn::GetAtt' && Array.isArray(one)) return [String(one[0])];
    if (key === 'DependsOn' && Array.isArray(one)) return one.map(String);
    return references(one);
  });
}

describe('update cluster --target cloudformation', () => {
  test.each(CASES)('%s: writes a template in which every reference resolves', { timeout: 120_000 }, async (name) => {
    const folder = mkdtempSync(join(tmpdir(), 'kopsctl-cloudformation-'));
    try {
      const spec = join(recordedFolder, 'update_cluster', name, 'in-v1alpha2.yaml');
      const cluster = /kind: Cluster\nmetadata:[\s\S]*?\n {2}name: (\S+)/.exec(readFileSync(spec, 'utf8'))?.[1] ?? '';
      const kopsctl = async (...argv: readonly string[]) =>
        execa(cli[0], [cli[1], ...argv, '--state', `file://${folder}/state`], { env: { AWS_REGION: 'us-test-1' } });
      await kopsctl('create', '-f', spec);
      await makeUpHashes(await openStore(`file://${folder}/state`, {}), cluster);
      await kopsctl('update', 'cluster', cluster, '--target', 'cloudformation', '--offline', '--out', folder);
      const text = readFileSync(join(folder, 'kubernetes.json'), 'utf8');
      const template: Template = JSON.parse(text);
      const known = new Set([...Object.keys(template.Resources), ...Object.keys(template.Parameters ?? {})]);
      expect(references(template.Resources).filter((id) => !known.has(id))).toEqual([]);
      expect([...known].filter((id) => !/^[A-Za-z0-9]{1,255}$/.test(id))).toEqual([]);
      const types = new Set(Object.values(template.Resources).map(({ Type }) => Type));
      expect([...types]).toEqual(
        expect.arrayContaining(['AWS::EC2::VPC', 'AWS::EC2::LaunchTemplate', 'AWS::AutoScaling::AutoScalingGroup']),
      );
      expect(text).not.toContain('PRIVATE KEY');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
