import { tryCommand } from './command.ts';
import { Together } from './together.ts';

/** How to call `ctr` for images of the containerd at a socket. CRI keeps its images in this namespace. */
export const imageCommand = (socket: string): readonly string[] => [
  '--address',
  socket,
  '--namespace',
  'k8s.io',
  'images',
];

/** containerd answers in milliseconds; while it imports images it may take seconds. */
const ANSWER_MS = 60_000;

/** An image with this label is never deleted by kubelet, however full the disk is (containerd 1.7 and newer). */
export const PIN = 'io.cri-containerd.pinned=pinned';
const IS_PINNED = 'labels."io.cri-containerd.pinned"==pinned';

/** The state of an image in containerd. */
export interface ImageState {
  /** All of its content is there, and it is unpacked. */
  readonly isComplete: boolean;
  readonly isPinned: boolean;
}

/** Asks the containerd at a socket about images by full name. Concurrent questions share the same two commands. */
export function imageQuestions(): (socket: string) => Together<ImageState> {
  const asked = new Map<string, Together<ImageState>>();
  return (socket) => {
    const known = asked.get(socket) ?? new Together((names) => statesOf(socket, names));
    asked.set(socket, known);
    return known;
  };
}

async function statesOf(socket: string, names: readonly string[]): Promise<ReadonlyMap<string, ImageState>> {
  const [checked, pinned] = await Promise.all([
    ctrImages(socket, 'check', ...names.map((name) => `name==${name}`)),
    ctrImages(socket, 'list', '--quiet', IS_PINNED),
  ]);
  return imageStates(checked, pinned);
}

/**
 * What `ctr images` prints. containerd does not answer while it starts: then it has no image, and each is imported,
 * perhaps again.
 */
async function ctrImages(socket: string, ...args: readonly string[]): Promise<string> {
  const { exitCode, stdout } = await tryCommand(
    'ctr',
    [...imageCommand(socket), ...args],
    AbortSignal.timeout(ANSWER_MS),
  );
  return exitCode === 0 ? stdout : '';
}

/** @param checked what `ctr images check` prints; @param pinned the names of the images with the label */
export function imageStates(checked: string, pinned: string): ReadonlyMap<string, ImageState> {
  const names = new Set(pinned.split('\n'));
  return new Map(
    checked.split('\n').map((line) => {
      const name = line.split(/\s/, 1)[0] ?? '';
      return [
        name,
        { isComplete: / complete /.test(line) && /true\s*$/.test(line), isPinned: names.has(name) },
      ] as const;
    }),
  );
}
