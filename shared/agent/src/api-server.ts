import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import { ifThere } from '@kopsctl/files/if-there.ts';
import { replaceFile } from '@kopsctl/files/replace-file.ts';
import { Mutex } from './mutex.ts';

/** Held: kubelet does not start the API server. Undone: its manifest was written again, as nodeup does at boot. */
export type ApiServerHold = 'none' | 'held' | 'undone';

/** The API server of this machine, which must not run while etcd is being restored beneath it. */
export interface ApiServer {
  /** Whether it is held on behalf of this etcd cluster, and whether it has ended. */
  observe(etcdCluster: string): Promise<{ readonly hold: ApiServerHold; readonly hasEnded: boolean }>;
  /** Stops it on behalf of this etcd cluster and prevents its start. Does not wait for its end. */
  hold(etcdCluster: string): Promise<void>;
  /** Lets it run again once no restore of another etcd cluster holds it. Does nothing when it is not held. */
  release(etcdCluster: string): Promise<void>;
}

/** The path of the static pod's manifest, and a folder that kubelet does not watch. */
export interface ApiServerPlace {
  readonly manifest: string;
  readonly heldFolder: string;
  /** Names of the processes that run on this machine. */
  processNames(): Promise<readonly string[]>;
}

export const THIS_MACHINE: ApiServerPlace = {
  manifest: '/etc/kubernetes/manifests/kube-apiserver.manifest',
  heldFolder: '/var/lib/kops/etcd-restore',
  processNames,
};

/**
 * Moves the manifest out of kubelet's folder, which stops the pod, and back. One API server serves all etcd clusters of
 * a machine. Each holder is a file, so that the hold survives a restart of this program and lasts until the last of
 * several restores releases it. On a machine without an API server there is nothing to hold.
 */
export function staticPodApiServer(place: ApiServerPlace): ApiServer {
  const holds = join(place.heldFolder, 'holds');
  const held = join(place.heldFolder, 'kube-apiserver.manifest');
  // The restores of two etcd clusters move the same file.
  const moves = new Mutex();
  return {
    async observe(etcdCluster) {
      const isAsked = await exists(join(holds, etcdCluster));
      const hold = !isAsked ? 'none' : (await exists(place.manifest)) ? 'undone' : 'held';
      return { hold, hasEnded: !(await place.processNames()).includes('kube-apiserver') };
    },
    hold: (etcdCluster) =>
      moves.run(async () => {
        await mkdir(holds, { recursive: true, mode: 0o700 });
        await writeFile(join(holds, etcdCluster), '');
        // nodeup writes the manifest again at a boot; then the newer one replaces the held one.
        await moveIfThere(place.manifest, held);
      }),
    release: (etcdCluster) =>
      moves.run(async () => {
        await rm(join(holds, etcdCluster), { force: true });
        if ((await namesIn(holds)).length > 0) return;
        const isThere = await exists(place.manifest);
        if (isThere) await rm(held, { force: true });
        else await moveIfThere(held, place.manifest);
      }),
  };
}

async function moveIfThere(from: string, to: string): Promise<void> {
  const bytes = await ifThere(readFile(from));
  if (bytes === undefined) return;
  // Copied, not renamed: the two folders may be on different file systems.
  await replaceFile(to, bytes, { mode: 0o600 });
  await rm(from);
}

async function exists(path: string): Promise<boolean> {
  const [folder, name] = [join(path, '..'), path.split('/').at(-1) ?? ''];
  return (await namesIn(folder)).includes(name);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await ifThere(readdir(folder))) ?? [];
}

/** proc(5): `comm` is a program's name, cut to 15 characters; `kube-apiserver` has 14. */
async function processNames(): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const names = await Promise.all(
    pids.map(async (pid) => {
      try {
        return (await readFile(join('/proc', pid, 'comm'), 'utf8')).trim();
      } catch (error) {
        // The process has ended since the folder was read.
        if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH') return '';
        throw error;
      }
    }),
  );
  return names.filter((name) => name !== '');
}
