import { expect, test } from 'vitest';
import { type Story, tell } from './text-story.ts';

const counting: Story<{ count: number }> = {
  begin: () => ({ count: 0 }),
  changes: { add: (world, number) => (world.count += Number(number)) },
  plan: ({ count }) => `count to ${count}`,
};

test('decisions are written below the lines that lead to them, in place of those that stood there', () => {
  const written = '# A story.\n\nadd 1\nplan\n----\nsomething else\n\nadd 2\n\nplan\n\n';
  const told = '# A story.\n\nadd 1\nplan\n----\ncount to 1\n\nadd 2\n\nplan\n----\ncount to 3\n';
  expect(tell(written, counting)).toBe(told);
  expect(tell(told, counting)).toBe(told);
});

test('a line that means nothing is refused', () => {
  expect(() => tell('subtract 1\n', counting)).toThrow('a story cannot say "subtract 1"');
});
