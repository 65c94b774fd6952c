import { defineConfig } from 'vitest/config'

const faults = 'tests/faults/**/*.integration.test.ts'
const installs = 'tests/installs/*.test.ts'

/** Tests that need PostgreSQL, which the global setup provides. */
const withDatabase = {
  globalSetup: ['tests/support/global-setup.ts'],
  // Each file has its own database and server. Reloading the server's code for each would take as long as the tests.
  isolate: false,
  // With more workers, tests that expect the server to respond within ten seconds would fail.
  maxWorkers: 2,
  // Far more than any test takes: on a machine busy with other work, tests are slow, not wrong.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  // The default of one second is too short for network responses on a busy machine.
  expect: { poll: { timeout: 10_000 } },
}

/**
 * Four projects: `unit` needs only Node; `integration` needs PostgreSQL; `faults` also starts whole processes, to kill them or observe how
 * they end; `installs` starts fresh clones on each Node version in the README, and needs the npm registry.
 */
export default defineConfig({
  test: {
    // Slower tests are reported in the output.
    slowTestThreshold: 5_000,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{agronomy,compliance,contracts,server,web,scripts,bench}/**/*.test.{ts,tsx,mjs}', 'tests/*.test.ts'],
          exclude: ['**/*.integration.test.ts', '**/node_modules/**'],
          // A process per file would take as long as all tests together; this setup cleans up between files.
          isolate: false,
          setupFiles: ['tests/support/shared-process.ts'],
          // A two-core machine may be busy with other work.
          testTimeout: 60_000,
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
