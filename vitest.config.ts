import { defineConfig } from 'vitest/config';

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
          exclude: ['**/node_modules/**', '**/dist/**'],
          // Servers and machines of several files at once would only wait for each other's processors.
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'vm',
          include: ['test/vm/src/**/*.vm.test.ts'],
          fileParallelism: false,
          testTimeout: 600_000,
          // Where nothing is cached this builds Kubernetes.
          hookTimeout: 3_000_000,
        },
      },
    ],
  },
});
