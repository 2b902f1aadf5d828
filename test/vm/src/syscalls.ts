import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';

/** All system calls that could change something outside the calling process. */
const TRACED = [
  'execve,open,openat,openat2,creat,truncate,ftruncate',
  'mount,umount2,move_mount,pivot_root,rename,renameat,renameat2,unlink,unlinkat,rmdir,mkdir,mkdirat',
  'link,linkat,symlink,symlinkat,mknod,mknodat,chmod,fchmod,fchmodat,chown,fchown,lchown,fchownat',
  'utimensat,setxattr,lsetxattr,fsetxattr,init_module,finit_module,delete_module,connect,sethostname,settimeofday,kill',
].join(',');

/** Files that may be opened for writing: they belong to the process itself, or have no content. */
const HARMLESS_FILE = /"(\/dev\/(null|tty|zero)|\/proc\/self\/[^"]*|\/proc\/\d+\/(task\/\d+\/)?(comm|oom_score_adj))"/;

/** Peers that may be contacted: the state store, and programs of this machine that answer queries. */
const HARMLESS_PEER = [
  /sin_addr=inet_addr\("169\.254\.169\.254"\)/,
  /sun_path="\/run\/systemd\/private"/,
  /sun_path="(\/var)?\/run\/dbus\/system_bus_socket"/,
  /sun_path="\/run\/containerd\/containerd\.sock"/,
  /sun_path="\/var\/run\/nscd\/socket"/,
  // glibc connects a datagram socket to find its source address; that sends no packet.
  /AF_UNSPEC/,
];

/**
 * Runs a command line under strace and returns the system calls of the program `traced` and its children that would
 * change something outside of them. Calls before it starts (entering namespaces) do not count.
 */
export async function changingSyscalls(argv: readonly string[], traced: string): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'strace-'));
  try {
    const log = join(folder, 'log');
    await execa('strace', ['-f', '-qq', '-e', `trace=${TRACED}`, '-e', 'signal=none', '-o', log, ...argv]);
    const lines = (await readFile(log, 'utf8')).split('\n');
    const start = lines.findIndex((line) => line.includes(`execve("${traced}"`) && line.endsWith('= 0'));
    if (start < 0) throw new Error(`${traced} did not start:\n${lines.slice(0, 20).join('\n')}`);
    return lines.slice(start + 1).filter(isChange);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function isChange(line: string): boolean {
  const call = /^\d+\s+(?:<\.\.\. )?(\w+)/.exec(line)?.[1] ?? '';
  // A failed call changes nothing. The second half of an interrupted line repeats the first.
  if (line === '' || line.includes('resumed>') || / = -1 E/.test(line) || call === 'execve') return false;
  if (call.startsWith('open')) return /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC/.test(line) && !HARMLESS_FILE.test(line);
  if (call === 'connect') return !HARMLESS_PEER.some((peer) => peer.test(line));
  // Signal 0 only checks whether a process exists.
  if (call === 'kill') return !line.includes(', 0)');
  return call !== '' && call !== 'exited';
}
