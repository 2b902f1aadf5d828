import { commandLineWord } from '@kopsctl/node-plan/systemd-quoting.ts';
import { imageNameForCtr } from '@kopsctl/spec/image-reference.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { containerdSettings, containerdSocket } from '../runtime/containerd-settings.ts';
import { runtimeService } from './images.ts';
import type { NodeContext } from './node-context.ts';
import { after, fileId, nodeTask, unitFile, unitPath } from './node-task.ts';

const UNIT = 'kops-warm-images.service';

/** A registry may be busy while many machines warm up: three tries, ten seconds apart. */
const PULL = 'for n in 1 2 3; do ctr "$@" && exit 0; sleep 10; done; exit 1';

/**
 * Images that machines of a warm pool pull before they are needed (kops nodeup/pkg/model/warm_pool.go). They stay on the
 * disk of a machine that is switched off, and asking again for what is there costs one request. A machine that skips the
 * pool pulls them beside its other work: nothing waits for them.
 */
export function warmImages(node: NodeContext): readonly Task[] {
  const { warmPool } = node.instanceGroup.spec;
  const images = warmPool?.additionalImages ?? [];
  if (images.length === 0 || warmPool?.maxSize === 0) return [];
  const address = containerdSocket(containerdSettings(node.spec, node.instanceGroup));
  return [
    unitFile(UNIT, unitText(images, address)),
    nodeTask('Service', UNIT, {
      unit: UNIT,
      enabled: true,
      running: true,
      noBlock: true,
      restartOn: after(fileId(unitPath(UNIT))),
      restartOnPaths: [unitPath(UNIT)],
      after: after(fileId(unitPath(UNIT)), runtimeService(node)),
    }),
  ];
}

/** A minus before the command: an image that cannot be pulled does not keep others from being pulled. */
const unitText = (images: readonly string[], address: string): string => `[Unit]
Description=Pull the images of the warm pool
After=containerd.service network-online.target
Wants=network-online.target

[Service]
Type=oneshot
RemainAfterExit=yes
Nice=10
Environment=PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
${images.map((image) => `ExecStart=-/bin/sh -c ${[PULL, 'sh', ...pull(image, address)].map(commandLineWord).join(' ')}`).join('\n')}

[Install]
WantedBy=multi-user.target
`;

const pull = (image: string, address: string): readonly string[] => [
  '--address',
  address,
  '--namespace',
  'k8s.io',
  'images',
  'pull',
  '--hosts-dir',
  '/etc/containerd/certs.d',
  imageNameForCtr(image),
];
