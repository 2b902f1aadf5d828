import { PREPARED_ON_REQUEST } from '@kopsctl/model/addons/prepared-images.ts';
import { parseImage } from '@kopsctl/spec/image-reference.ts';
import { expect, test } from 'vitest';
import { imageRows } from './images.ts';

const rows = imageRows('amd64', () => ({ release: '1.0.0', module: '1.0.0' }), '');

test('what a refused addon is told to prepare is in the book, under that name', () => {
  const prepared = new Map(
    rows.map(({ published: { thing, reference } }) => [parseImage(reference).repository, thing]),
  );
  const named = [...PREPARED_ON_REQUEST].map((repository) => [repository, `image/${repository.split('/').at(-1)}`]);
  expect(named.map(([repository = '']) => [repository, prepared.get(repository)])).toEqual(named);
});

test('an image that is not made here says why', () => {
  const pulled = rows.filter(({ packed }) => packed === undefined);
  expect(pulled.map(({ published }) => published.name)).toContain('k8s-dns-node-cache');
  expect(pulled.filter(({ whyNotMade = '' }) => whyNotMade === '')).toEqual([]);
});
