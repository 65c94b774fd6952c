import { defineConfig } from 'vitest/config'

const faults = 'tests/faults/**/*.integration.test.ts'
const installs = 'tests/installs/*.test.ts'

/** What needs a PostgreSQL, which the global setup provides. */
const withDatabase = {
  globalSetup: ['tests/support/global-setup.ts'],
  // Each file has a database and a server of its own. To load the server's code anew for each takes as long as the tests.
  isolate: false,
  // More would wait less, and make those wait too long that hold a server to its ten seconds.
  maxWorkers: 2,
  testTimeout: 30_000,
  hookTimeout: 60_000,
  // A second, as it would be otherwise, is not enough where a busy machine has to answer over a network.
  expect: { poll: { timeout: 10_000 } },
}

/**
 * Four projects: `unit` needs nothing but Node; `integration` needs a PostgreSQL; `faults` also starts whole processes, to kill them or
 * to see how they end; `installs` starts fresh clones on each Node that the README promises, and needs the npm registry.
 */
export default defineConfig({
  test: {
    // Slower ones are named in the output.
    slowTestThreshold: 5_000,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{agronomy,compliance,contracts,server,web,scripts,bench}/**/*.test.{ts,tsx,mjs}', 'tests/*.test.ts'],
          exclude: ['**/*.integration.test.ts', '**/node_modules/**'],
          // A process for each file takes as long as all tests together; this keeps one file's leavings from the next.
          isolate: false,
          setupFiles: ['tests/support/shared-process.ts'],
          // A machine of two cores runs much else beside this.
          testTimeout: 20_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          ...withDatabase,
          name: 'integration',
          include: ['{server,tests}/**/*.integration.test.ts'],
          exclude: [faults, '**/node_modules/**'],
        },
      },
      { test: { ...withDatabase, name: 'faults', include: [faults] } },
      { test: { name: 'installs', include: [installs], testTimeout: 300_000, hookTimeout: 60_000 } },
    ],
  },
})
