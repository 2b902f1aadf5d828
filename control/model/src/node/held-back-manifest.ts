import type { Task } from '@kopsctl/tasks/task.ts';
import { after, fileId, nodeTask, unitFile, unitPath } from './node-task.ts';
import { KUBELET_CURRENT_CERTIFICATE, MANIFESTS_DIR } from './paths.ts';

export const HELD_BACK_DIR = '/etc/kops/manifests';

/**
 * Shows kubelet a static pod only once kubelet has its certificate, for a pod that uses it too. kubelet starts static
 * pods before that, and each start that fails doubles the wait for the next (10 s, 20 s … 5 minutes).
 */
export function heldBackManifest(pod: string): readonly Task[] {
  const [source, target] = [`${HELD_BACK_DIR}/${pod}.manifest`, `${MANIFESTS_DIR}/${pod}.manifest`];
  // kubelet looks over names that begin with a dot, and sees the renamed file whole.
  const draft = `${MANIFESTS_DIR}/.${pod}.manifest`;
  const [path, service] = [`${pod}-manifest.path`, `${pod}-manifest.service`];
  const pathUnit = `[Unit]
Description=Waits for kubelet's certificate to start ${pod}

[Path]
PathExists=${KUBELET_CURRENT_CERTIFICATE}

[Install]
WantedBy=multi-user.target
`;
  const serviceUnit = `[Unit]
Description=Shows kubelet the manifest of ${pod}

[Service]
Type=oneshot
# Else the path unit would start it again and again.
RemainAfterExit=yes
ExecStart=/bin/cp ${source} ${draft}
ExecStart=/bin/mv -f ${draft} ${target}
`;
  return [
    unitFile(service, serviceUnit),
    unitFile(path, pathUnit),
    nodeTask('Service', path, {
      unit: path,
      enabled: true,
      running: true,
      after: after(
        fileId(source),
        fileId(unitPath(path)),
        fileId(unitPath(service)),
        `Directory/${MANIFESTS_DIR.slice(1)}`,
      ),
    }),
  ];
}
