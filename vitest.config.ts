import { defineConfig } from 'vitest/config'

// Three projects, one command each: `npm test` needs Node alone and stays under three minutes, `test:long` is what takes
// longer, `test:kafka` starts real brokers (Java and Maven). Real-broker files run one after the other: two cores.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          globalSetup: ['test/build.ts'],
          include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
          exclude: ['test/kafka/**', 'test/**/*.long.test.ts'],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'long',
          globalSetup: ['test/build.ts'],
          include: ['test/**/*.long.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'kafka',
          globalSetup: ['test/build.ts'],
          include: ['test/kafka/**/*.test.ts'],
          testTimeout: 900_000,
          hookTimeout: 600_000,
          fileParallelism: false,
          maxWorkers: 1,
        },
      },
    ],
  },
})
