import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runLine } from './testing/run-line.ts';

const NAME = 'demo.example.com';
const CREATE = `create cluster ${NAME} --cloud aws --zones us-east-1a --offline`;

let folder: string;

/** FOLDER stands for the folder of the test. */
const run = (line: string, env: NodeJS.ProcessEnv = {}) =>
  runLine(`kops ${line.replaceAll('FOLDER', folder)}`, {
    KOPS_STATE_STORE: `file://${folder}/state`,
    KUBECONFIG: join(folder, 'kubeconfig'),
    HOME: folder,
    ...env,
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-codes-'));
  await writeFile(join(folder, 'bad'), '{');
  await run(CREATE);
});
afterAll(() => rm(folder, { recursive: true }));

/** Where the command line is at fault: a value that cannot be read, a name that is missing. */
const LINES: readonly (readonly [line: string, env?: NodeJS.ProcessEnv])[] = [
  [`edit cluster ${NAME} --set spec.kubernetesVersio=1`],
  [`edit cluster ${NAME} --set spec.nosuch`],
  [`edit cluster ${NAME} --set [=1`],
  [`edit ig nodes-us-east-1a --name ${NAME} --set spec.minSize=abc`],
  [`edit ig nodes-us-east-1a --name ${NAME} --set spec.role=Foo`],
  [`edit ig nodes-us-east-1a --name ${NAME} --unset spec.nosuch`],
  [`${CREATE.replace('demo', 'other')} --set spec.foo=1`],
  [`set cluster ${NAME} kubernetesVersion=1.35.0`],
  [`explain cluster ${NAME} spec.podCID`],
  ['explain cluster spec.podCID'],
  ['get clusters --state nosuch'],
  ['get clusters --state s3:/foo'],
  ['get clusters --state s3://'],
  ['get clusters --state https://'],
  ['get clusters', { KOPS_STATE_STORE: undefined }],
  ['get clusters', { KOPS_STATE_STORE: '' }],
  [`create secret dockerconfig ${NAME} -f FOLDER/bad`],
  [`create secret encryptionconfig ${NAME} -f FOLDER/bad`],
  [`${CREATE.replace('demo', 'other')} --yes`],
  [`${CREATE.replace('demo', 'other')} --yes --target direct`],
  [`update cluster ${NAME} --offline`],
  [`update cluster ${NAME} --offline --yes`],
  [`update cluster ${NAME} --offline --target dryrun`],
  ['apply FOLDER/bad -f FOLDER/bad'],
  ['apply FOLDER/bad --prune'],
  ['apply FOLDER/bad --exit-code --yes'],
  [`validate cluster ${NAME} --count 3`],
  [`validate cluster ${NAME} --count 3 --wait 0s`],
];

test.each(LINES.map(([line, env = {}]) => [line, env] as const))('`%s` exits with 3', async (line, env) => {
  const { code, stdout, stderr } = await run(line, env);
  const told = expect.stringMatching(/^Error: cannot .*\nNext: {2}/);
  expect({ code, stdout, stderr }).toEqual({ code: 3, stdout: '', stderr: told });
});
