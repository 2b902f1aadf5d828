import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { makeUpHashes } from '@kopsctl/actions/testing/make-up-hashes.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import { findPeer } from '@kopsctl/test-peers/provide.ts';
import { casesOf } from '@kopsctl/test-suite/long.ts';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kopsctlProgram, recordedCases } from './recorded-cases.ts';
import { asInAws, clusterIn, recordedSpec, writeTemplate } from './recorded-templates.ts';
import { PYTHON_CACHE } from './python-cache.ts';

interface Template {
  readonly Parameters?: Readonly<Record<string, unknown>>;
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties: unknown }>>;
}

/** Together they have every type and property of resources that any case has; the long run lints all of them. */
const USUAL = ['complex', 'irsa', 'minimal-dns-none', 'minimal-ipv6-calico', 'mixed_instances'];
const OTHER_NETWORKS = ['privatecalico', 'privatedns1', 'shared_subnet'];

const linter = await findPeer('cfn-lint');

const specs = new Map<string, string>();
for (const name of recordedCases('update_cluster')) {
  const spec = await recordedSpec(name);
  if (/^ {2}cloudProvider: aws$/m.test(spec)) specs.set(name, asInAws(spec));
}
const usual = [...USUAL, ...OTHER_NETWORKS];
const cases = casesOf(
  usual,
  [...specs.keys()].filter((name) => !usual.includes(name)),
);

const folder = mkdtempSync(join(tmpdir(), 'kopsctl-cloudformation-'));
const templates = new Map<string, string>();
beforeAll(async () => {
  for (const name of cases) templates.set(name, await writeTemplate(specs.get(name) ?? '', join(folder, name)));
});
afterAll(() => rmSync(folder, { recursive: true }));

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

/** Zones are named in the specs: a subnet is in the zone that its owner chose. */
const NOT_CHECKED = ['W3010'];

/** What the linter finds in templates, each as `FOLDER RULE: …`. It is started once: that takes longer than a template does. */
async function findingsIn(paths: readonly string[], root: string): Promise<readonly string[]> {
  const argv = ['--regions', 'us-east-1', '--format', 'parseable', '--ignore-checks', ...NOT_CHECKED];
  const { stdout, stderr, exitCode } = await execa(
    '/usr/bin/python3',
    [`${root}/bin/cfn-lint`, ...argv, '--', ...paths],
    {
      env: { PYTHONPATH: root, PYTHONPYCACHEPREFIX: PYTHON_CACHE },
      reject: false,
    },
  );
  // 2 and more: it found something. 1 is a failure of its own.
  if (exitCode === undefined || exitCode === 1) throw new Error(`cfn-lint failed: ${stderr}${stdout}`);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [path = '', , , , , rule = '', ...text] = line.split(':');
      return `${basename(dirname(path))} ${rule}: ${text.join(':')}`;
    });
}

describe('update cluster --target cloudformation', () => {
  test('the program writes a template without secrets, and says what is left to a direct update', async () => {
    const spec = join(folder, 'program.yaml');
    const text = await recordedSpec('complex');
    writeFileSync(spec, text);
    const state = `file://${folder}/state`;
    const kopsctl = async (...argv: readonly string[]) => execa(kopsctlProgram, [...argv, '--state', state]);
    await kopsctl('create', '-f', spec);
    const cluster = clusterIn(text);
    await makeUpHashes(await openStore(state, {}), cluster);
    const out = join(folder, 'program');
    const argv = ['update', 'cluster', cluster, '--target', 'cloudformation', '--offline', '--out', out];
    const { stderr } = await kopsctl(...argv);
    expect(stderr).toMatch(/Left out, as CloudFormation cannot do it: .*the tags of the instance profile/);
    const template = readFileSync(join(out, 'kubernetes.json'), 'utf8');
    expect(template).toContain('AWS::EC2::LaunchTemplate');
    expect(template).not.toContain('PRIVATE KEY');
  });

  test.each(cases)('%s: writes a template in which every reference resolves', (name) => {
    const template: Template = JSON.parse(readFileSync(templates.get(name) ?? '', 'utf8'));
    const known = new Set([...Object.keys(template.Resources), ...Object.keys(template.Parameters ?? {})]);
    expect(references(template.Resources).filter((id) => !known.has(id))).toEqual([]);
    expect([...known].filter((id) => !/^[A-Za-z0-9]{1,255}$/.test(id))).toEqual([]);
  });

  test.skipIf(linter === undefined)(
    'the linter of AWS has nothing to say about any template, and finds what is planted',
    async () => {
      const planted = join(folder, 'planted');
      const harmed = readFileSync(templates.get('complex') ?? '', 'utf8')
        .replace('"EnableDnsSupport"', '"EnableDnsSuport"')
        .replace('"Ref": "Vpc', '"Ref": "NoVpc');
      await execa('mkdir', [planted]);
      writeFileSync(join(planted, 'kubernetes.json'), harmed);
      const paths = [...templates.values(), join(planted, 'kubernetes.json')];
      const found = await findingsIn(paths, linter?.root ?? '');
      expect(found.filter((line) => !line.startsWith('planted '))).toEqual([]);
      expect(found.map((line) => line.split(':')[0])).toEqual(['planted E3002', 'planted E1020']);
    },
  );
});
