import { makeLog } from '@kopsctl/agent/log.ts';
import { type KubeClient, KubeError } from '@kopsctl/kube/client.ts';
import { AUTHORITY_USER } from '@kopsctl/node-identity/addresses.ts';
import { expect, test } from 'vitest';
import { SigningDesk } from './signing-desk.ts';

const log = makeLog(() => undefined, false, 'node-authority');
const wanted = { purpose: 'client', node: 'nodes-1', request: 'PEM' } as const;
const created = (user: string) => async (_path: string, object: unknown) => ({
  ...(object as { readonly spec: object }),
  spec: { ...(object as { readonly spec: object }).spec, username: user },
});
const never = async (): Promise<never> => Promise.reject(new Error('this test does not call it'));
const kube = (some: Partial<KubeClient>): KubeClient => ({
  get: never,
  text: never,
  timeMs: never,
  create: created(AUTHORITY_USER),
  replace: never,
  apply: never,
  mergePatch: never,
  remove: never,
  watch: never,
  ...some,
});

/** Vitest fails a run with a rejection that nobody handles, as Node ends a process. */
test('a machine that hangs up while it is being approved does not end the authority', async () => {
  const gone = new AbortController();
  const approval = Promise.withResolvers<unknown>();
  const desk = new SigningDesk(
    kube({
      replace: async (_path, _object, signal) => {
        approval.resolve(undefined);
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    }),
    log,
  );
  const signing = desk.sign(wanted, gone.signal);
  await approval.promise;
  gone.abort(new Error('it hung up'));
  await expect(signing).rejects.toThrow('it hung up');
});

test("what somebody else requested under this authority's name for it is not approved", async () => {
  const desk = new SigningDesk(kube({ create: created('system:node:nodes-2') }), log);
  await expect(desk.sign(wanted, AbortSignal.timeout(10_000))).rejects.toThrow('not what this authority asked for');
});

test('a request that cannot be denied does not keep the others from it, whatever it is called', async () => {
  const ended = new AbortController();
  const paths: string[] = [];
  const of = (name: string) => ({
    type: 'ADDED',
    object: {
      metadata: { name },
      spec: { username: 'system:node:nodes-1', signerName: 'kubernetes.io/kubelet-serving', request: '' },
    },
  });
  const desk = new SigningDesk(
    kube({
      get: async () => ({ metadata: { resourceVersion: '1' }, items: [] }),
      watch: async (_path, onEvent, signal) => {
        for (const name of ['x?y', '#', 'plain']) onEvent(of(name));
        signal.throwIfAborted();
        await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
      replace: async (path) => {
        paths.push(path.slice(path.lastIndexOf('requests/') + 'requests/'.length));
        if (paths.length === 3) ended.abort(new Error('seen'));
        throw new KubeError('PUT', 403, 'forbidden');
      },
    }),
    log,
  );
  await expect(desk.follow(ended.signal)).rejects.toThrow('seen');
  expect(paths).toEqual(['x%3Fy/approval', '%23/approval', 'plain/approval']);
});

test('requests are listed few at a time, because each may be longer than a megabyte', async () => {
  const asked: string[] = [];
  const desk = new SigningDesk(
    kube({
      get: async (path) => {
        asked.push(path);
        return { metadata: { resourceVersion: '1' }, items: [] };
      },
    }),
    log,
  );
  await expect(desk.follow(AbortSignal.timeout(10_000))).rejects.toThrow('does not call it');
  expect(asked).toEqual(['/apis/certificates.k8s.io/v1/certificatesigningrequests?limit=5']);
});
