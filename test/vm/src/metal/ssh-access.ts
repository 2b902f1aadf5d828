import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { providePeer } from '@kopsctl/test-peers/provide.ts';
import { execa } from 'execa';

/** How a person reaches machines by SSH: with a key and a configuration of its own, which knows their host key. */
export interface SshAccess {
  /** A folder for PATH, with the `ssh` that uses them. */
  readonly binDir: string;
  /** Makes a machine that has nothing but a network reachable by SSH: as root, from an archive in `mirror`. */
  readonly serverScript: (mirrorUrl: string) => string;
}

const ARCHIVE = 'openssh-server.tar';

/** @param mirror the folder that machines download from */
export async function sshAccess(folder: string, mirror: string): Promise<SshAccess> {
  const [person, host, binDir] = [join(folder, 'person'), join(folder, 'host'), join(folder, 'bin')];
  for (const key of [person, host]) await execa('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  const publicKey = async (key: string) => (await readFile(`${key}.pub`, 'utf8')).trim();
  await writeFile(join(folder, 'known_hosts'), `* ${await publicKey(host)}\n`);
  const settings = [
    'StrictHostKeyChecking yes',
    `UserKnownHostsFile ${folder}/known_hosts`,
    `IdentityFile ${person}`,
    'IdentitiesOnly yes',
  ];
  await writeFile(join(folder, 'ssh_config'), `${settings.join('\n')}\n`);
  await mkdir(binDir);
  await writeFile(join(binDir, 'ssh'), `#!/bin/sh\nexec /usr/bin/ssh -F ${folder}/ssh_config "$@"\n`);
  await chmod(join(binDir, 'ssh'), 0o755);
  const { root } = await providePeer('openssh-server');
  await execa('tar', ['-C', root, '--owner=0', '--group=0', '-cf', join(mirror, ARCHIVE), '.']);
  const [hostKey, allowed] = [await readFile(host, 'utf8'), await publicKey(person)];
  return {
    binDir,
    // What the packages' scripts would do, which need debconf, and what dpkg would note.
    serverScript: (mirrorUrl) => `#!/bin/sh
set -eu
curl -fsS ${mirrorUrl}/${ARCHIVE} | tar -xf - --keep-directory-symlink -C /
useradd --system --no-create-home --home-dir /run/sshd --shell /usr/sbin/nologin sshd
mkdir -p -m 0755 /run/sshd /etc/ssh
printf '%s\\n' 'Package: logrotate' 'Status: install ok installed' 'Architecture: amd64' 'Maintainer: x' 'Version: 3' 'Description: x' '' >> /var/lib/dpkg/status
umask 077
mkdir -p /root/.ssh
echo '${allowed}' > /root/.ssh/authorized_keys
cat > /etc/ssh/ssh_host_ed25519_key <<'KEY'
${hostKey.trim()}
KEY
printf '%s\\n' 'HostKey /etc/ssh/ssh_host_ed25519_key' 'PermitRootLogin prohibit-password' > /etc/ssh/sshd_config
systemd-run --unit=sshd /usr/sbin/sshd -D -e
`,
  };
}
