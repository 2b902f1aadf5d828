import { expect, test } from 'vitest';
import { imageStates } from './containerd-images.ts';
import { imageHandler } from './image.ts';

const image = 'registry.k8s.io/pause:3.10.1';
const props = { urls: ['https://example.com/pause.tar'], sha256: 'ab'.repeat(32), image, socket: '/run/c.sock' };
const actions = (actual: Parameters<typeof imageHandler.plan>[2], runtime: 'containerd' | 'docker' = 'containerd') =>
  imageHandler.plan('pause', { ...props, runtime }, actual).map(({ action }) => action);

test('an image is imported and then pinned, because each import takes the label away', () => {
  expect(actions(undefined)).toEqual(['import', 'pin']);
  expect(actions({ isComplete: false, isPinned: true })).toEqual(['import', 'pin']);
  expect(actions(undefined, 'docker')).toEqual(['import']);
});

test('an image that was imported without a label is pinned', () => {
  expect(actions({ isComplete: true, isPinned: false })).toEqual(['pin']);
});

test('nothing is done the second time', () => {
  expect(actions({ isComplete: true, isPinned: true })).toEqual([]);
});

test('the state of images is read from what ctr prints', () => {
  const checked = [
    'REF TYPE DIGEST STATUS SIZE UNPACKED',
    `${image} application/vnd.docker sha256:06 complete (2/2) 10.2 KiB/10.2 KiB true`,
    'docker.io/library/busybox:1.35 application/vnd.docker sha256:07 incomplete (1/2) 1 KiB/10.2 KiB false',
  ].join('\n');
  const states = imageStates(checked, `${image}\nother`);
  expect(states.get(image)).toEqual({ isComplete: true, isPinned: true });
  expect(states.get('docker.io/library/busybox:1.35')).toEqual({ isComplete: false, isPinned: false });
});
