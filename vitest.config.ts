import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { missingRecordings } from './test/conformance/src/recorded-cases.ts';
import { isLong } from './test/suite/src/long.ts';
import { SlowestFirst } from './test/suite/src/slowest-first.ts';

// Programs under test run from their sources, a new process each time: Node keeps what it has compiled.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/node-compile-cache');
// API servers and etcds of tests live for seconds: with the usual share of garbage, a quarter of their processor time goes into
// collecting it.
process.env['GOGC'] ??= '400';

/** Integration tests in which it matters how soon something happens. */
const TIMED = [
  'packaging/binary/src/**/*.integration.test.ts',
  'clouds/local/**/*.integration.test.ts',
  'shared/gossip/src/**/*.integration.test.ts',
];

/** Tests that do harm to etcd clusters. Most of the time they wait for leases to expire and for elections. */
const FAULTS = ['test/faults/src/**/*.integration.test.ts'];

/**
 * Tests that watch no clock and hardly wait: simulated clusters and networks, what is made of many specifications, and
 * accounts of clouds that a test serves itself. They take what others leave of the processors.
 */
const UNHURRIED = [
  '{agents,control,shared}/*/src/**/*.simulation.test.ts',
  'test/fields/src/**/*.integration.test.ts',
  'test/conformance/src/{conversion,spec}.recorded.integration.test.ts',
  'test/conformance/src/{adopt,aws-cluster,cloudformation,cloudformation-stack}.recorded.integration.test.ts',
  'test/conformance/src/gce-{changes,cluster,fleet,shapes}.recorded.integration.test.ts',
  'test/conformance/src/{adopt-gce,kops-itself}.recorded.integration.test.ts',
  'test/conformance/src/aws-{commands,elastic-ip,instance-store,root-device}.integration.test.ts',
];

/** Tests that put modules of theirs in the place of ours, which other files of the same worker must not see. */
const WITH_MOCKS = globSync('{agents,clouds,control,shared,packaging,test}/**/*.{integration,simulation}.test.ts', {
  cwd: import.meta.dirname,
  exclude: (name) => name === 'node_modules' || name.endsWith('/node_modules'),
}).filter((file) => readFileSync(join(import.meta.dirname, file), 'utf8').includes('vi.mock('));

/**
 * All machines of a cluster of five are replaced three times, with real traffic. CI rotates the keys of the toy cloud instead
 * (test/clouds/src/rotate.integration.test.ts).
 */
const LONG_ALONE = isLong ? [] : ['test/vm/src/key-rotation.vm.test.ts'];

/** Comparisons with what kops itself makes, where that is not at hand: one sentence of the suite stands for them. */
const UNRECORDED = missingRecordings().length > 0 ? ['**/*.recorded.integration.test.ts'] : [];

/** Whole clusters that leave no processor to others, or whose test compares all of this machine before and after. */
const VM_ALONE = ['test/vm/src/ha.vm.test.ts', 'test/vm/src/quickstart.vm.test.ts'];

/**
 * Simulations make garbage all the time. With the 16 MiB that V8 gives to young objects, a tenth of the processor time goes
 * into looking at what still lives.
 */
const MUCH_ROOM = ['--max-semi-space-size=64'];

/** Node itself runs the TypeScript of tests, without what Vite would make of each module, which mocks alone need. */
const RUN_BY_NODE = { experimental: { viteModuleRunner: false, nodeLoader: false } };

/** With larger numbers a test may take hours. */
const LIMIT_MS = isLong ? 4 * 60 * 60_000 : 600_000;

const WHOLE_CLUSTERS = {
  ...RUN_BY_NODE,
  globalSetup: ['test/vm/src/prepare-once.ts'],
  testTimeout: LIMIT_MS,
  hookTimeout: 600_000,
};

/**
 * Unit tests stand beside the code and touch no disk, net or clock; integration tests start real servers or write files.
 * Simulations take whole operations through a simulated cluster or network thousands of times.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        test: {
          ...RUN_BY_NODE,
          name: 'unit',
          include: ['{agents,control,shared,packaging,test}/*/src/**/*.test.ts', 'clouds/**/*.test.ts'],
          exclude: [
            '**/*.integration.test.ts',
            '**/*.simulation.test.ts',
            '**/*.vm.test.ts',
            '**/*.versions.test.ts',
            '**/*.upgrade.test.ts',
            '**/*.soak.test.ts',
            '**/node_modules/**',
            '**/dist/**',
          ],
          // They touch nothing that the next file would see: what they import is read once, a third of the time.
          isolate: false,
          execArgv: MUCH_ROOM,
          // As many as there are processors here: they wait for nothing.
          maxWorkers: 2,
          // They watch no clock: a limit is there for tests that never end, and a busy machine may take long.
          testTimeout: isLong ? LIMIT_MS : 60_000,
        },
      },
      {
        test: {
          ...RUN_BY_NODE,
          name: 'integration',
          include: [
            '{agents,control,shared,packaging,test}/*/src/**/*.integration.test.ts',
            'clouds/**/*.integration.test.ts',
          ],
          globalSetup: ['test/conformance/src/build-cli.ts'],
          exclude: [
            ...TIMED,
            ...FAULTS,
            ...UNHURRIED,
            ...WITH_MOCKS,
            ...UNRECORDED,
            '**/node_modules/**',
            '**/dist/**',
          ],
          // What they import is read once for all files of a worker.
          isolate: false,
          execArgv: MUCH_ROOM,
          // Eight files at once: alone, each would wait for servers and leases most of its time.
          maxWorkers: 8,
          testTimeout: LIMIT_MS,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          ...RUN_BY_NODE,
          name: 'unhurried',
          include: UNHURRIED,
          globalSetup: ['test/conformance/src/build-cli.ts'],
          exclude: [...WITH_MOCKS, ...UNRECORDED, '**/node_modules/**', '**/dist/**'],
          isolate: false,
          execArgv: MUCH_ROOM,
          // They share what whole clusters leave, which may be next to nothing for a while: with more at once, each would take
          // longer to answer its own kopsctl than that waits.
          maxWorkers: 3,
          testTimeout: 4 * 60 * 60_000,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          name: 'integration-with-mocks',
          include: WITH_MOCKS,
          exclude: [...UNRECORDED, '**/node_modules/**'],
          // They share the eight: vitest wants the same number of both.
          maxWorkers: 8,
          testTimeout: LIMIT_MS,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          ...RUN_BY_NODE,
          name: 'timed',
          include: TIMED,
          exclude: ['**/node_modules/**', '**/dist/**'],
          // Peers that gossip mostly wait for each other's clocks, which leaves the processors to the next files.
          maxWorkers: 3,
          testTimeout: LIMIT_MS,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          ...RUN_BY_NODE,
          name: 'faults',
          include: FAULTS,
          globalSetup: ['test/faults/src/bundle-manager.ts'],
          exclude: ['**/node_modules/**', '**/dist/**'],
          // Seven clusters at once: each waits most of its time for leases and elections.
          maxWorkers: 7,
          testTimeout: LIMIT_MS,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          ...WHOLE_CLUSTERS,
          name: 'vm',
          include: ['test/vm/src/**/*.vm.test.ts'],
          exclude: [...VM_ALONE, ...LONG_ALONE, '**/node_modules/**', '**/dist/**'],
          // Two clusters at once: each waits half of its time for machines that boot. With three, each took twice as long.
          maxWorkers: 2,
        },
      },
      { test: { ...WHOLE_CLUSTERS, name: 'vm-alone', include: VM_ALONE, fileParallelism: false } },
      {
        test: {
          ...WHOLE_CLUSTERS,
          name: 'versions',
          globalSetup: ['test/vm/src/prepare-versions.ts'],
          include: ['test/vm/src/**/*.versions.test.ts', 'test/conformance/src/addons.integration.test.ts'],
          fileParallelism: false,
        },
      },
      {
        test: {
          ...WHOLE_CLUSTERS,
          name: 'upgrade',
          globalSetup: ['test/vm/src/prepare-upgrade.ts'],
          include: ['test/vm/src/**/*.upgrade.test.ts'],
          fileParallelism: false,
        },
      },
      { test: { ...WHOLE_CLUSTERS, name: 'soak', include: ['test/vm/src/**/*.soak.test.ts'] } },
    ],
  },
});
