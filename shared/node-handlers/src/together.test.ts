import { expect, test } from 'vitest';
import { Together } from './together.ts';

const never = new AbortController().signal;

test('what is asked while the program runs is asked together the next time', async () => {
  const asked: (readonly string[])[] = [];
  const running = Promise.withResolvers<void>();
  const together = new Together<string>(async (keys) => {
    asked.push(keys);
    if (asked.length === 1) {
      started.resolve();
      await running.promise;
    }
    return new Map(keys.map((key) => [key, `${key}!`]));
  });
  const started = Promise.withResolvers<void>();
  const first = [together.ask('a', never), together.ask('b', never)];
  await started.promise;
  const later = [together.ask('a', never), together.ask('c', never)];
  running.resolve();
  expect(await Promise.all([...first, ...later])).toEqual(['a!', 'b!', 'a!', 'c!']);
  expect(asked).toEqual([
    ['a', 'b'],
    ['a', 'c'],
  ]);
});

test('a failure reaches all who asked, and the next question starts another run', async () => {
  let runs = 0;
  const together = new Together<string>(async (keys) => {
    runs += 1;
    if (runs === 1) throw new Error('systemd is away');
    return new Map(keys.map((key) => [key, 'running']));
  });
  await expect(together.ask('a', never)).rejects.toThrow('systemd is away');
  expect(await together.ask('a', never)).toBe('running');
});
