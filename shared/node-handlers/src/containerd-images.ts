import { tryCommand } from './command.ts';
import { Together } from './together.ts';

/** CRI keeps its images in this namespace of containerd. */
export const NAMESPACE = ['--namespace', 'k8s.io'];

/** containerd answers in milliseconds; while it imports images it may take seconds. */
const ANSWER_MS = 60_000;

/** The state of an image as `ctr images check` prints it. */
export interface ImageLine {
  /** All of its content is there, and it is unpacked. */
  readonly isComplete: boolean;
}

/** Asks containerd about images by full name. Questions at the same time become one command. */
export function imageQuestions(): Together<ImageLine> {
  return new Together(async (names) => {
    const filters = names.map((name) => `name==${name}`);
    const args = [...NAMESPACE, 'images', 'check', ...filters];
    const { exitCode, stdout } = await tryCommand('ctr', args, AbortSignal.timeout(ANSWER_MS));
    // While containerd starts it does not answer, so the image is imported, perhaps again.
    if (exitCode !== 0) return new Map();
    return new Map(stdout.split('\n').map((line) => [line.split(/\s/, 1)[0] ?? '', parseLine(line)] as const));
  });
}

function parseLine(line: string): ImageLine {
  return { isComplete: / complete /.test(line) && /true\s*$/.test(line) };
}

/** containerd keeps full names only (reference.ParseDockerRef): busybox:1.35 is docker.io/library/busybox:1.35. */
export function fullName(image: string): string {
  const [first = '', ...rest] = image.split('/');
  if (rest.length === 0) return `docker.io/library/${image}`;
  return first.includes('.') || first.includes(':') || first === 'localhost' ? image : `docker.io/${image}`;
}
