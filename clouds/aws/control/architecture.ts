import type { Architecture } from '@kopsctl/model/create-cluster/channel.ts';

/** Instance families with AWS's own processors: a1, and those with a g after the generation (m6g, c7gn, t4g …). */
const GRAVITON = /^(a1|[a-z]+\d+g[a-z]*)\./;

export const architectureOf = (machineType: string): Architecture => (GRAVITON.test(machineType) ? 'arm64' : 'amd64');
