import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import type { ProviderSchema } from '@kopsctl/model/terraform/testdata/provider-schema.ts';
import { type ParsedTerraform, providerFaults } from './provider-faults.ts';
import { kopsctlProgram, recordedCases, recordedFolder, repository } from './recorded-cases.ts';
import { scoreCases } from './score-cases.ts';

// Its type definitions include those of browsers, which differ from Node's.
const hcl: { parse(file: string, text: string): Promise<ParsedTerraform> } = createRequire(import.meta.url)(
  '@cdktf/hcl2json',
);
const schemaOf = (cloud: string): ProviderSchema =>
  JSON.parse(
    readFileSync(
      join(
        repository,
        `clouds/${cloud}/control/terraform/testdata/${cloud === 'gce' ? 'google' : cloud}-provider.json`,
      ),
      'utf8',
    ),
  );

const isOf = (cloud: string, name: string): boolean => {
  const spec = join(recordedFolder, 'update_cluster', name, 'in-v1alpha2.yaml');
  return existsSync(spec) && new RegExp(` {2}cloudProvider: ${cloud}\\b`).test(readFileSync(spec, 'utf8'));
};
const rendered = (name: string): boolean => existsSync(join(recordedFolder, 'update_cluster', name, 'kubernetes.tf'));
const casesOf = (cloud: string): readonly string[] =>
  recordedCases('update_cluster').filter((name) => isOf(cloud, name) && rendered(name));

/** The targets. Only values that an account must provide (its number, the id of a zone) may be missing. */
const LEAST_MEAN = { aws: 0.985, gce: 0.98 };
const LEAST_OF_ONE = 0.95;

describe('update cluster --target terraform', () => {
  test.each(['aws', 'gce'] as const)(
    'renders the same infrastructure as kops in %s, of resources and arguments that the provider knows, without a network',
    async (cloud) => {
      const cases = casesOf(cloud);
      const { results, mean, rendered } = await scoreCases('update_cluster', cases, ['--cloud', cloud]);
      expect(results).toHaveLength(cases.length);
      expect(results.filter(({ score }) => score < LEAST_OF_ONE)).toEqual([]);
      expect(mean).toBeGreaterThanOrEqual(LEAST_MEAN[cloud]);
      expect(rendered).toHaveLength(cases.length);
      const schema = schemaOf(cloud);
      const faults = rendered.map(async (text) => providerFaults(schema, await hcl.parse('kubernetes.tf', text)));
      expect((await Promise.all(faults)).flat()).toEqual([]);
    },
  );

  test("is accepted by Terraform's own parser, is deterministic, and contains no secret", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kopsctl-terraform-'));
    try {
      const state = `file://${folder}/state`;
      const spec = join(recordedFolder, 'update_cluster/complex/in-v1alpha2.yaml');
      const kopsctl = async (...argv: readonly string[]) => execa(kopsctlProgram, [...argv, '--state', state]);
      await kopsctl('create', '-f', spec);
      const render = async (out: string) => {
        await kopsctl(
          'update',
          'cluster',
          'complex.example.com',
          '--target',
          'terraform',
          '--offline',
          '--out',
          join(folder, out),
        );
        return readFileSync(join(folder, out, 'kubernetes.tf'), 'utf8');
      };
      const text = await render('first');
      expect(await render('second')).toBe(text);
      const parsed = await hcl.parse('kubernetes.tf', text);
      expect(Object.keys(parsed.resource ?? {})).toEqual(expect.arrayContaining(['aws_vpc', 'aws_autoscaling_group']));
      const { stdout: everything } = await execa('grep', ['-r', '-l', '-E', 'PRIVATE KEY', join(folder, 'first')], {
        reject: false,
      });
      expect(everything).toBe('');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
