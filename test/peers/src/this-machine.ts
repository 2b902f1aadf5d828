import { readFileSync } from 'node:fs';

/**
 * The reason why this machine cannot run the peers. Undefined on a machine that can: there a missing peer is a failure,
 * not a reason to skip. Peers are programs of Debian that run with the libraries of Debian 12.
 */
export function whyNoPeers(): string | undefined {
  if (process.platform !== 'linux') return `this machine runs ${process.platform}, and peers are programs of Debian`;
  if (process.arch !== 'x64') return `this machine is ${process.arch}, and peers are fetched for amd64`;
  const release = debianRelease(readFileSync('/etc/os-release', 'utf8'));
  if (release !== '12')
    return `peers run on Debian 12, and this machine runs ${release === undefined ? 'another distribution' : `Debian ${release}`}`;
  if (process.getuid?.() !== 0) return 'only root can fetch peers and run them in separate networks and disks';
  return undefined;
}

/** The major version of a Debian release, from the text of os-release(5). */
function debianRelease(osRelease: string): string | undefined {
  if (!/^ID="?debian"?$/m.test(osRelease)) return undefined;
  return /^VERSION_ID="?(\d+)/m.exec(osRelease)?.[1] ?? 'in development';
}
