import type { HostTool } from '@kopsctl/packaging-assets/host-tools.ts';

/** Programs of Debian that tests run on this machine, or that peers need. */
export const TEST_HOST_TOOLS: readonly HostTool[] = [
  { program: '/usr/bin/python3', packageName: 'python3', why: 'runs moto, a server of the APIs of AWS' },
  {
    program: '/usr/lib/python3/dist-packages/pip/__init__.py',
    packageName: 'python3-pip',
    why: 'installs cfn-lint for tests',
  },
  {
    program: '/usr/lib/python3/dist-packages/cryptography/__init__.py',
    packageName: 'python3-cryptography',
    why: 'generates the keys of moto',
  },
  { program: 'mmdebstrap', packageName: 'mmdebstrap', why: 'installs a new Debian for tests' },
  { program: 'ip', packageName: 'iproute2', why: 'creates the networks of machines under test' },
  { program: 'mount', packageName: 'mount', why: 'mounts the disks of machines under test' },
  { program: 'mkfs.ext4', packageName: 'e2fsprogs', why: 'formats disks that fail' },
  { program: 'strace', packageName: 'strace', why: 'shows what a dry run changes, and what is flushed to the disk' },
  { program: 'openssl', packageName: 'openssl', why: 'verifies certificates independently of our code' },
  { program: 'ssh-keygen', packageName: 'openssh-client', why: 'generates the SSH keys of users' },
  { program: 'chromium', packageName: 'chromium', why: 'opens the pages of `kopsctl ui`' },
];
