import { defineConfig } from 'vitest/config'

// Three projects, one command each: `npm test` needs Node alone and stays under three minutes, `test:long` is what takes
// longer, `test:kafka` starts real brokers (Java and Maven), `test:ssh` a real sshd (root, and Debian's openssh-server and tmux),
// `soak` leaves the console open for 20 minutes.
// Real-broker files run one after the other: two cores. `screenshots` is no test: it makes the pictures of screenshots/.

/** How long `expect.poll` waits for a condition, in ms. One second, the default, is less than a machine with other work may need. */
const expect = { poll: { timeout: 30_000 } }

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          expect,
          globalSetup: ['test/build.ts'],
          setupFiles: ['test/seed.ts'],
          include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
          exclude: ['test/kafka/**', 'test/ssh/**', 'test/**/*.long.test.ts'],
          // More than a wait for one thing on a screen: that one tells what it saw instead.
          testTimeout: 90_000,
          // Most of them wait for programs that they have started: one more than there are cores keeps two busy.
          maxWorkers: 3,
        },
      },
      {
        test: {
          name: 'long',
          expect,
          globalSetup: ['test/build.ts'],
          include: ['test/**/*.long.test.ts'],
          // As above; each waits for programs most of the time.
          maxWorkers: 3,
          testTimeout: 600_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'kafka',
          expect,
          globalSetup: ['test/build.ts'],
          include: ['test/kafka/**/*.test.ts'],
          testTimeout: 900_000,
          hookTimeout: 600_000,
          fileParallelism: false,
          maxWorkers: 1,
        },
      },
      {
        test: {
          name: 'ssh',
          expect,
          globalSetup: ['test/build.ts'],
          include: ['test/ssh/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'soak',
          expect,
          globalSetup: ['test/build.ts'],
          include: ['test/soak/*.soak.ts'],
        },
      },
      {
        test: {
          name: 'bench-kafka',
          expect,
          globalSetup: ['test/build.ts'],
          include: ['test/bench/kafka/*.bench.ts'],
        },
      },
      {
        test: {
          name: 'screenshots',
          expect,
          globalSetup: ['test/build.ts'],
          include: ['test/screenshots/*.shots.ts'],
          testTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
