import { expect, test } from 'vitest';
import { openInotifyLimit } from './inotify-limit.ts';

/** A host whose limit is a number in memory. */
function host({ limit = 128, others = 0, isReadOnly = false } = {}) {
  const said: string[] = [];
  const state = { limit };
  const inotify = openInotifyLimit({
    use: async () => ({ limit: state.limit, machines: new Map(), others }),
    async raiseTo(raised) {
      if (isReadOnly) throw new Error('EROFS: read-only file system');
      state.limit = raised;
    },
    say: (line) => said.push(line),
  });
  return { inotify, said, state };
}

const controlPlane = (name: string) => new Map([[name, 'ControlPlane']] as const);

test('a limit with room is left alone', async () => {
  const { inotify, said, state } = host();
  await inotify.makeRoomFor(controlPlane('cp-1'));
  expect({ ...state, said }).toEqual({ limit: 128, said: [] });
});

test('machines that are created at the same time are counted together', async () => {
  const { inotify, said, state } = host();
  await Promise.all(['cp-1', 'cp-2', 'cp-3', 'cp-4'].map((name) => inotify.makeRoomFor(controlPlane(name))));
  expect(state.limit).toBe(1024);
  expect(said[0]).toBe('raised fs.inotify.max_user_instances from 128 to 1024: 144 instances are needed');
});

test('where the limit cannot be raised, the machine is refused with the command that raises it', async () => {
  const { inotify } = host({ others: 100, isReadOnly: true });
  await expect(inotify.makeRoomFor(controlPlane('cp-1'))).rejects.toMatchObject({
    name: 'PermanentError',
    message:
      'cannot run cp-1 on this host: its local machines need 136 inotify instances, but it allows 128: ' +
      'EROFS: read-only file system',
    next: 'run sysctl fs.inotify.max_user_instances=1024 on the host',
  });
});
