import type { TestCluster } from '../cluster.ts';

/** Where machines keep what is theirs. The system below /usr is the same on every machine of the world. */
const FOLDERS = '/etc /var /run /root /home /opt /srv /usr/local';
/** Root file systems of containers and their layers: images, which hold nothing of this machine. */
const IMAGES = String.raw`-path /var/lib/containerd -o -path '/run/containerd/io.containerd.runtime*'`;

/** What the system itself keeps there, which differs with the pods of a machine and from boot to boot. */
const PASSING = '-path /run/systemd -o -path /run/containerd -o -path /var/log -o -path /var/lib/cni';

/** The paths of files on a machine that not everybody may read, without what differs from machine to machine. */
export async function hiddenFiles(cluster: TestCluster, machine: string): Promise<readonly string[]> {
  const find = String.raw`find ${FOLDERS} \( ${IMAGES} -o ${PASSING} \) -prune -o -type f ! -perm -o=r -printf '%m %u %p\n'`;
  return lines(await shell(cluster, machine, find));
}

/** The paths of files on a machine with private keys, tokens of service accounts or secrets of clouds, by their content. */
export async function filesWithCredentials(cluster: TestCluster, machine: string): Promise<readonly string[]> {
  const patterns = '-----BEGIN [A-Z ]*PRIVATE KEY-----|eyJhbGciOi|AKIA[0-9A-Z]{16}|AGE-SECRET-KEY-';
  const look = String.raw`-exec grep -lE --binary-files=without-match -e '${patterns}' {} +`;
  const find = String.raw`find ${FOLDERS} \( ${IMAGES} \) -prune -o -type f -size -1024k ${look}`;
  return lines(await shell(cluster, machine, `${find} || true`));
}

/** The files on a machine that a system user may read although not everybody may. */
export async function readableBy(cluster: TestCluster, machine: string, user: string): Promise<readonly string[]> {
  const find = String.raw`find ${FOLDERS} \( ${IMAGES} \) -prune -o -type f ! -perm -o=r -readable -printf '%m %u %p\n'`;
  return lines(
    await shell(cluster, machine, `setpriv --reuid ${user} --regid ${user} --init-groups ${find} 2>/dev/null || true`),
  );
}

export async function shell(cluster: TestCluster, machine: string, script: string): Promise<string> {
  const { exitCode, stdout, stderr } = await cluster.on(machine, 'sh', '-c', script);
  if (exitCode !== 0) throw new Error(`${script} ended with ${exitCode} on ${machine}: ${stderr}`);
  return stdout;
}

/** Without ids, which are new in every cluster. */
function lines(output: string): readonly string[] {
  const told = output
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
    .replaceAll(/[0-9a-f]{64}/g, 'ID')
    .replaceAll(/[0-9a-f]{32}/g, 'ID')
    .replaceAll(/\.\.\d{4}(_\d{2}){5}\.\d+/g, '..TIME')
    .replaceAll(/-[bcdfghjklmnpqrstvwxz2456789]{5,10}-[bcdfghjklmnpqrstvwxz2456789]{5}(?=[_/])/g, '-POD')
    .replaceAll(/-[bcdfghjklmnpqrstvwxz2456789]{5}(?=[_/])/g, '-POD');
  return [...new Set(told.split('\n').filter((line) => line !== ''))].toSorted();
}
