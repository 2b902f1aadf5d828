import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeUpHashes } from '@kopsctl/actions/testing/make-up-hashes.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import { findPeer } from '@kopsctl/test-peers/provide.ts';
import { casesOf } from '@kopsctl/test-suite/long.ts';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { cli, recordedCases, recordedFolder } from './recorded-cases.ts';

const CASES = ['minimal-aws', 'complex', 'privatecalico', 'minimal-ipv6', 'irsa', 'mixed_instances'];

interface Template {
  readonly Parameters?: Readonly<Record<string, unknown>>;
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties: unknown }>>;
}

const linter = await findPeer('cfn-lint');

/** A region and ids as AWS has them: the recorded specs have made up theirs, which the linter rightly refuses. */
const asInAws = (spec: string): string =>
  spec
    .replaceAll('us-test-1', 'us-east-1')
    .replaceAll(/\b(sg|vpc|subnet|eipalloc|nat|tgw|rtb)-[a-z0-9]+(?=["\s])/g, (id, kind: string) =>
      /^[a-z]+-([a-f0-9]{8}|[a-f0-9]{17})$/.test(id)
        ? id
        : `${kind}-${createHash('sha256').update(id).digest('hex').slice(0, 17)}`,
    );

/** What the linter calls errors: what CloudFormation would refuse. */
async function errorsIn(template: string): Promise<string> {
  const argv = ['-m', 'cfnlint', '--regions', 'us-east-1', '--format', 'parseable', '--ignore-checks', 'W', 'I'];
  const { stdout, stderr, exitCode } = await execa('/usr/bin/python3', [...argv, '--template', template], {
    env: { PYTHONPATH: linter?.root ?? '', PYTHONDONTWRITEBYTECODE: '1' },
    reject: false,
  });
  // 2 and more: it found something. 1 is a failure of its own.
  if (exitCode === 1) throw new Error(`cfn-lint failed: ${stderr}`);
  return stdout;
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

const specOf = (name: string): string =>
  readFileSync(join(recordedFolder, 'update_cluster', name, 'in-v1alpha2.yaml'), 'utf8');

/** Has the work look at the template of a spec, which is a file in a folder of its own. */
async function withTemplate(spec: string, work: (template: string) => void | Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kopsctl-cloudformation-'));
  try {
    const path = join(folder, 'spec.yaml');
    writeFileSync(path, spec);
    const cluster = /kind: Cluster\nmetadata:[\s\S]*?\n {2}name: (\S+)/.exec(spec)?.[1] ?? '';
    const kopsctl = async (...argv: readonly string[]) =>
      execa(cli[0], [cli[1], ...argv, '--state', `file://${folder}/state`], { env: { AWS_REGION: 'us-test-1' } });
    await kopsctl('create', '-f', path);
    await makeUpHashes(await openStore(`file://${folder}/state`, {}), cluster);
    await kopsctl('update', 'cluster', cluster, '--target', 'cloudformation', '--offline', '--out', folder);
    await work(join(folder, 'kubernetes.json'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('update cluster --target cloudformation', () => {
  test.each(CASES)('%s: writes a template in which every reference resolves', { timeout: 120_000 }, (name) =>
    withTemplate(specOf(name), (path) => {
      const text = readFileSync(path, 'utf8');
      const template: Template = JSON.parse(text);
      const known = new Set([...Object.keys(template.Resources), ...Object.keys(template.Parameters ?? {})]);
      expect(references(template.Resources).filter((id) => !known.has(id))).toEqual([]);
      expect([...known].filter((id) => !/^[A-Za-z0-9]{1,255}$/.test(id))).toEqual([]);
      const types = new Set(Object.values(template.Resources).map(({ Type }) => Type));
      expect([...types]).toEqual(
        expect.arrayContaining(['AWS::EC2::VPC', 'AWS::EC2::LaunchTemplate', 'AWS::AutoScaling::AutoScalingGroup']),
      );
      expect(text).not.toContain('PRIVATE KEY');
    }),
  );

  const linted = ['complex', 'minimal-ipv6', 'privatecalico'];
  const others = recordedCases('update_cluster').filter(
    (name) => !linted.includes(name) && /^ {2}cloudProvider: aws$/m.test(specOf(name)),
  );
  test.skipIf(linter === undefined).each(casesOf(linted, others))(
    '%s: writes a template without errors for cfn-lint',
    { timeout: 120_000 },
    (name) =>
      withTemplate(asInAws(specOf(name)), async (path) => {
        expect(await errorsIn(path)).toBe('');
      }),
  );
});
