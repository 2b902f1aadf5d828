import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Mutex } from './mutex.ts';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';

/** Held: nobody starts it. Undone: a manifest was written again meanwhile, as nodeup does at a boot. */
export type ApiServerHold = 'none' | 'held' | 'undone';

/** The API server of this machine, which must not run while etcd is being restored beneath it. */
export interface ApiServer {
  /** How it is held on behalf of this etcd cluster, and whether it runs no longer. */
  observe(etcdCluster: string): Promise<{ readonly hold: ApiServerHold; readonly hasEnded: boolean }>;
  /** Stops it and keeps it from being started, on behalf of this etcd cluster. Does not wait for its end. */
  hold(etcdCluster: string): Promise<void>;
  /** Lets it run again, once no other etcd cluster's restore holds it. Fine when nothing is held. */
  release(etcdCluster: string): Promise<void>;
}

/** Where kubelet looks for the static pods, and where a manifest is out of its sight. */
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
 * There is one for all etcd clusters of a machine. Takes the manifest out of kubelet's sight, which stops the pod, and puts it back. Who holds it is a file each, so
 * that a restart of this program, or two restores at once, release neither too early nor never. A machine without an
 * API server has nothing to hold.
 */
export function staticPodApiServer(place: ApiServerPlace): ApiServer {
  const holds = join(place.heldFolder, 'holds');
  const held = join(place.heldFolder, 'kube-apiserver.manifest');
  // Restores of two etcd clusters at once move the same file.
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
        // nodeup writes the manifest again at a boot: then the newer one is kept.
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
  let bytes;
  try {
    bytes = await readFile(from);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  // Written and renamed at its place: the two folders may lie on different file systems. A name that begins with a
  // dot is no manifest to kubelet, so it never reads half of one.
  const temporary = join(to, '..', '.kube-apiserver.manifest.moving');
  await writeFile(temporary, bytes, { mode: 0o600, flush: true });
  await rename(temporary, to);
  await rm(from);
}

async function exists(path: string): Promise<boolean> {
  const [folder, name] = [join(path, '..'), path.split('/').at(-1) ?? ''];
  return (await namesIn(folder)).includes(name);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** proc(5): `comm` is a program's name, cut to 15 characters; `kube-apiserver` has 14. */
async function processNames(): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const names = await Promise.all(
    pids.map(async (pid) => {
      try {
        return (await readFile(join('/proc', pid, 'comm'), 'utf8')).trim();
      } catch (error) {
        // It ended in between.
        if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH') return '';
        throw error;
      }
    }),
  );
  return names.filter((name) => name !== '');
}
