import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { FileWatchers } from './file-watchers.ts';

const FILES = new Map(['/etc', '/gone', '/srv', '/opt'].map((folder) => [folder, new Set(['file'])]));

/** A kernel that watches so many folders; none is at /gone. */
function kernel({ room }: { readonly room: number }) {
  const watched = new Map<string, EventEmitter>();
  const watch = (folder: string, _: object, onEvent: (event: string, name: string | null) => void) => {
    if (folder === '/gone') throw Object.assign(new Error('there is no such folder'), { code: 'ENOENT' });
    if (watched.size === room) throw Object.assign(new Error('the limit is reached'), { code: 'ENOSPC' });
    const watcher = Object.assign(new EventEmitter(), { close: () => watched.delete(folder) });
    watcher.on('change', onEvent);
    watched.set(folder, watcher);
    return watcher;
  };
  return { watched, watch };
}

test('a change of one of the files is told, and no folder is watched afterwards', () => {
  const { watched, watch } = kernel({ room: 3 });
  let changes = 0;
  {
    using watchers = new FileWatchers(watch);
    watchers.add(FILES, () => (changes += 1));
    expect([...watched.keys()]).toEqual(['/etc', '/srv', '/opt']);
    watched.get('/srv')?.emit('change', 'rename', 'other');
    expect(changes).toBe(0);
    watched.get('/srv')?.emit('change', 'rename', 'file');
    expect(changes).toBe(1);
  }
  expect([...watched.keys()]).toEqual([]);
});

test('no folder stays watched where the kernel has no room for all', () => {
  const { watched, watch } = kernel({ room: 2 });
  expect(() => {
    using watchers = new FileWatchers(watch);
    watchers.add(FILES, () => undefined);
  }).toThrow('the limit is reached');
  expect([...watched.keys()]).toEqual([]);
});

test('a watcher that fails is a change, since others may be missed', () => {
  const { watched, watch } = kernel({ room: 3 });
  let changes = 0;
  using watchers = new FileWatchers(watch);
  watchers.add(FILES, () => (changes += 1));
  watched.get('/etc')?.emit('error', new Error('its queue is gone'));
  expect(changes).toBe(1);
});
