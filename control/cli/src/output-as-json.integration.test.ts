import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runLine } from './testing/run-line.ts';

const NAME = 'demo.example.com';

let folder: string;
let env: NodeJS.ProcessEnv;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-json-'));
  env = {
    KOPS_STATE_STORE: `file://${folder}/state`,
    KUBECONFIG: join(folder, 'kubeconfig'),
    HOME: folder,
    EDITOR: 'false',
  };
  const { stdout } = await run(`create cluster ${NAME} --cloud aws --zones us-east-1a --dry-run`);
  await writeFile(join(folder, 'spec.yaml'), stdout);
  await writeFile(join(folder, 'bad.yaml'), stdout.replace('channel:', 'chanel:').replace('minSize: 1', 'minSize: x'));
});
afterEach(() => rm(folder, { recursive: true }));

/** FOLDER stands for the folder of the test. */
const run = (line: string) => runLine(`kops ${line.replaceAll('FOLDER', folder)}`, env);

const objectsOf = (text: string): readonly unknown[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));

test.each([
  'create -f FOLDER/bad.yaml',
  'replace -f FOLDER/bad.yaml --force',
  'delete -f FOLDER/bad.yaml',
  'toolbox lint -f FOLDER/bad.yaml',
  `edit cluster ${NAME} --set spec.kubernetesVersion=one`,
  `set cluster ${NAME} spec.kubernetesVersion=one`,
  `unset ig nodes-us-east-1a spec.role --name ${NAME}`,
])('`%s -o json` tells the faults of a spec as fields', async (line) => {
  await run('create -f FOLDER/spec.yaml');
  const { code, stdout, stderr } = await run(`${line} -o json`);
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  const [error] = objectsOf(stderr).slice(-1);
  expect(error).toMatchObject({
    type: 'error',
    exitCode: 3,
    faults: expect.arrayContaining([expect.objectContaining({ path: expect.stringContaining('spec.') })]),
  });
});

test('with `-o json` what was created, changed and deleted is told in lines of JSON, and help is as ever', async () => {
  const told = async (line: string) => {
    const { code, stdout } = await run(`${line} -o json`);
    return { code, told: objectsOf(stdout) };
  };
  expect(await told('create -f FOLDER/spec.yaml')).toMatchObject({
    code: 0,
    told: [
      { type: 'result', object: `cluster/${NAME}`, outcome: 'created', message: `Created cluster/${NAME}` },
      { outcome: 'created' },
      { outcome: 'created' },
      { message: `Next: kopsctl update cluster ${NAME} --yes` },
    ],
  });
  const lint = await told('toolbox lint -f FOLDER/spec.yaml');
  expect(lint).toMatchObject({
    code: 0,
    told: [{ cluster: NAME, objects: [`cluster/${NAME}`, {}, {}].fill(expect.any(String)) }],
  });
  expect(await told(`set cluster ${NAME} spec.channel=alpha`)).toMatchObject({
    told: [
      {
        object: `cluster/${NAME}`,
        outcome: 'changed',
        patch: expect.stringContaining('+  channel: alpha'),
        next: `kopsctl update cluster ${NAME} --yes`,
      },
    ],
  });
  expect(await told('replace -f FOLDER/spec.yaml')).toMatchObject({
    told: [{ outcome: 'changed', patch: expect.stringContaining('-  channel: alpha') }, { outcome: 'unchanged' }, {}],
  });
  expect(await told(`undo ${NAME}`)).toMatchObject({ told: [{ outcome: 'found', cluster: NAME }] });
  expect(await told(`delete ig nodes-us-east-1a --name ${NAME} --yes`)).toMatchObject({
    told: [{ object: 'instancegroup/nodes-us-east-1a', outcome: 'deleted' }],
  });
  expect(await told(`delete cluster ${NAME} --unregister`)).toMatchObject({
    told: [{ found: [{ type: 'state' }] }, { message: expect.stringContaining('--yes') }],
  });
  expect((await run('delete cluster --help -o json')).stdout).toMatch(/^Usage: kopsctl delete cluster/);
  expect(await readFile(join(folder, 'spec.yaml'), 'utf8')).toContain('channel: stable');
});
