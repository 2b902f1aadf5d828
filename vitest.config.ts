import { defineConfig } from 'vitest/config';

/** Integration tests in which it matters how soon something happens, or which need much of the machine. */
const TIMED = [
  'packaging/binary/src/**/*.integration.test.ts',
  'shared/clouds/src/local/**/*.integration.test.ts',
  'shared/gossip/src/**/*.integration.test.ts',
  'test/faults/src/**/*.integration.test.ts',
];

/** Whole clusters that leave no processor to others, or whose test compares all of this machine before and after. */
const VM_ALONE = ['test/vm/src/ha.vm.test.ts', 'test/vm/src/quickstart.vm.test.ts'];

const WHOLE_CLUSTERS = {
  globalSetup: ['test/vm/src/prepare-once.ts'],
  testTimeout: 600_000,
  hookTimeout: 600_000,
};

/** Unit tests stand beside the code and touch no disk, net or clock; integration tests start real servers or write files. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{agents,control,shared,packaging,test}/*/src/**/*.test.ts'],
          exclude: ['**/*.integration.test.ts', '**/*.vm.test.ts', '**/node_modules/**', '**/dist/**'],
        },
      },
      {
        test: {
          name: 'integration',
          include: ['{agents,control,shared,packaging,test}/*/src/**/*.integration.test.ts'],
          exclude: [...TIMED, '**/node_modules/**', '**/dist/**'],
          // Two files at once: each of them waits half of its time for servers.
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'timed',
          include: TIMED,
          exclude: ['**/node_modules/**', '**/dist/**'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          ...WHOLE_CLUSTERS,
          name: 'vm',
          include: ['test/vm/src/**/*.vm.test.ts'],
          exclude: [...VM_ALONE, '**/node_modules/**', '**/dist/**'],
          // Two clusters at once: each waits half of its time for machines that boot.
          maxWorkers: 2,
        },
      },
      { test: { ...WHOLE_CLUSTERS, name: 'vm-alone', include: VM_ALONE, fileParallelism: false } },
    ],
  },
});
