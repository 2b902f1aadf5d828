import { expect, test } from 'vitest';
import { buildGraph } from './graph.ts';
import { task } from './testing/story.ts';

test('tasks keep their order, except that each stands after what it needs', () => {
  const graph = buildGraph([
    task('d', {}, ['c']),
    task('a'),
    task('c', { value: { ref: 'Thing/b', output: 'x' } }),
    task('b'),
  ]);
  expect([...graph.keys()]).toEqual(['Thing/b', 'Thing/c', 'Thing/d', 'Thing/a']);
  expect(graph.get('Thing/c')).toMatchObject({ needs: ['Thing/b'], neededBy: ['Thing/d'] });
});

test('references are found at any depth, and other objects with a ref are none', () => {
  const props = { a: [{ b: { ref: 'Thing/b' } }], config: { ref: 'main', branch: 'x' } };
  const graph = buildGraph([task('a', props), task('b')]);
  expect(graph.get('Thing/a')?.needs).toEqual(['Thing/b']);
});

test('every fault of a graph is told at once, a cycle with its whole path', () => {
  const faulty = [
    task('a', {}, ['b']),
    task('b', {}, ['c']),
    task('c', {}, ['b']),
    task('d', {}, ['x']),
    task('d', {}, ['x']),
  ];
  expect(() => buildGraph(faulty)).toThrow(
    'cannot put the tasks in order: Thing/d is there twice; Thing/d refers to Thing/x, which is not among the tasks; ' +
      'these need each other in a cycle: Thing/b → Thing/c → Thing/b',
  );
});

test('a task that needs itself is a cycle', () => {
  expect(() => buildGraph([task('a', {}, ['a'])])).toThrow('Thing/a → Thing/a');
});
