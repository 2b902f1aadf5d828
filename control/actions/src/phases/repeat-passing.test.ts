import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { NoAnswerError } from '@kopsctl/http/http.ts';
import { KubeError } from '@kopsctl/kube/client.ts';
import { expect, test } from 'vitest';
import { mayPass, repeatPassing } from './repeat-passing.ts';

const system = (code: string) => Object.assign(new Error(`it failed with ${code}`), { code });
/** What the clients of some clouds throw. */
const answered = (httpStatusCode: number | undefined, name: string) =>
  Object.assign(new Error(`${name}: it was refused`), { name, $metadata: { httpStatusCode } });
const wrapped = (cause: unknown) =>
  new ActionableError({ what: 'do it', why: 'it failed', next: 'do it again', cause });

test.each<[string, unknown, boolean]>([
  ['a connection that was cut', system('ECONNRESET'), true],
  ['a request of the API without an answer', new Error('cannot GET', { cause: new NoAnswerError('late') }), true],
  ['a store that is not reached', wrapped(system('ENOTFOUND')), true],
  ['etcd that elects a leader', new KubeError('PATCH', 500, 'etcdserver: leader changed'), true],
  ['an API server that starts', new KubeError('PATCH', 503, 'starting'), true],
  ['one with too much to do', new KubeError('PATCH', 429, 'too many requests'), true],
  ['a certificate that has expired', new KubeError('PATCH', 401, 'Unauthorized'), true],
  ['what a cloud does not explain', new Error('Throttling: rate exceeded'), true],
  ['a cloud with a fault', answered(500, 'InternalFailure'), true],
  ['a cloud that is asked too often', answered(400, 'Throttling'), true],
  ['a cloud that is asked too often, by another name', answered(503, 'RequestLimitExceeded'), true],
  ['a group of a cloud that is changing', answered(400, 'ScalingActivityInProgressFault'), true],
  ['a request that a cloud did not read in time', answered(408, 'RequestTimeout'), true],
  ['a store of a cloud with a fault', wrapped(answered(503, 'ServiceUnavailable')), true],
  ['a cloud that was not reached', Object.assign(system('ECONNRESET'), { $metadata: {} }), true],
  ['what a cloud refuses', answered(400, 'ValidationError'), false],
  ['a quota of a cloud that is used up', answered(400, 'LimitExceeded'), false],
  ['a right that is missing in a cloud', answered(403, 'AccessDenied'), false],
  ['a missing right', new KubeError('PATCH', 403, 'forbidden'), false],
  ['a refusal of an admission webhook', new KubeError('PATCH', 422, 'invalid'), false],
  ['what a person has to fix', wrapped(undefined), false],
  ['what a person has to fix, as a file says', wrapped(system('EACCES')), false],
  ['a bug', new TypeError('undefined is not a function'), false],
])('Whether it may pass: %s', (_what, thrown, passes) => {
  expect(mayPass(thrown)).toBe(passes);
});

/** Fails in these ways, one after the other, each after some seconds, and succeeds then. */
async function repeated(failures: readonly (readonly [afterSeconds: number, thrown: unknown])[]) {
  let [nowMs, tries] = [0, 0];
  const said: string[] = [];
  const work = async (): Promise<string> => {
    const [seconds, thrown] = failures[tries] ?? [0, undefined];
    tries += 1;
    nowMs += seconds * 1_000;
    if (thrown !== undefined) throw thrown;
    return 'done';
  };
  const env = { lookAgainMs: 0, nowMs: () => nowMs, say: (line: string) => said.push(line) };
  const result = await repeatPassing(work, env, new AbortController().signal).catch((error: unknown) => String(error));
  return { result, tries, said };
}

const CUT = system('ECONNRESET');
const REFUSED = system('ECONNREFUSED');

test('What passes is repeated, and told once for each reason', async () => {
  const { result, tries, said } = await repeated([
    [1, CUT],
    [1, REFUSED],
    [1, REFUSED],
  ]);
  expect({ result, tries }).toEqual({ result: 'done', tries: 4 });
  expect(said).toEqual([`trying again: ${CUT.message}`, `trying again: ${REFUSED.message}`]);
});

test('After a minute it fails with the last reason', async () => {
  const { result, tries } = await repeated([
    [30, CUT],
    [30, CUT],
    [30, REFUSED],
    [30, CUT],
  ]);
  expect({ result, tries }).toEqual({ result: String(REFUSED), tries: 3 });
});

test('What went on for longer than a minute before it failed has another minute', async () => {
  const { result, tries } = await repeated([
    [300, CUT],
    [50, CUT],
    [300, CUT],
    [50, CUT],
  ]);
  expect({ result, tries }).toEqual({ result: 'done', tries: 5 });
});

test('It has that once only: what takes long each time and fails is not repeated for ever', async () => {
  const { result, tries } = await repeated(Array.from({ length: 10 }, () => [300, CUT] as const));
  expect({ result, tries }).toEqual({ result: String(CUT), tries: 3 });
});

test('What does not pass is not repeated', async () => {
  expect((await repeated([[0, wrapped(undefined)]])).tries).toBe(1);
});

test('What is given up is not repeated', async () => {
  const given = new AbortController();
  let tries = 0;
  const work = async (): Promise<void> => {
    tries += 1;
    given.abort(new Error('given up'));
    throw CUT;
  };
  const env = { lookAgainMs: 0, nowMs: () => 0, say: () => undefined };
  await expect(repeatPassing(work, env, given.signal)).rejects.toThrow('given up');
  expect(tries).toBe(1);
});
