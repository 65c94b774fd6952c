import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { defineConfig, devices } from '@playwright/test'

const isMain = process.env.TEST_WORKER_INDEX === undefined
// Workers read this file again, so choices made here are passed through the environment.
process.env.E2E_PORT ??= String(20_000 + (process.pid % 10_000))
/** The server's data folder; tests find its emails in `outbox`. */
process.env.E2E_DATA_DIR ??= path.join(os.tmpdir(), `sungrove-e2e-${process.pid}`)
const dataDir = process.env.E2E_DATA_DIR
// The server stops before this process exits.
if (isMain) process.once('exit', () => fs.rmSync(dataDir, { recursive: true, force: true }))

const origin = `http://localhost:${process.env.E2E_PORT}`

const desktop = { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } }
const launchOptions = process.env.CHROMIUM ? { executablePath: process.env.CHROMIUM } : {}
const args = [
  // Chromium has no sandbox as root, which most containers use.
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export default defineConfig({
  testDir: 'tests/e2e',
  // Two, because the browser, the server and the database share the cores.
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // The slowest tests need a third of this on an idle machine.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ...(process.env.E2E_REPORT ? [['json', { outputFile: process.env.E2E_REPORT }] as const] : [])],
  use: {
    baseURL: origin,
    screenshot: 'only-on-failure',
    // A service worker would download and cache the whole app at every sign-in, so only its own tests allow it.
    serviceWorkers: 'block',
    // Playwright waits for animations before clicking.
    contextOptions: { reducedMotion: 'reduce' },
    // No WebGL: software rendering of maps would take most of a test's time. The project `map` has it.
    launchOptions: { ...launchOptions, args: [...args, '--disable-gpu', '--disable-3d-apis'] },
  },
  projects: [
    { name: 'chromium', grepInvert: /@map/, use: desktop },
    {
      name: 'map',
      grep: /@map/,
      use: {
        ...desktop,
        // The map needs WebGL. Software rendering halves the speed of everything, so only this project uses it.
        launchOptions: { ...launchOptions, args: [...args, '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] },
      },
    },
  ],
  webServer: {
    command: 'node scripts/start.mjs',
    url: `${origin}/readyz`,
    env: {
      PORT: process.env.E2E_PORT,
      DATA_DIR: dataDir,
      DEMO_DATA: 'on',
      RATE_LIMIT_SCALE: '1000',
      // A slow machine must not make the server refuse requests.
      MAX_EVENT_LOOP_DELAY_MS: '0',
      LOG_LEVEL: 'warn',
      // Where connections.spec.ts receives webhooks.
      PRIVATE_TARGETS: `127.0.0.1:${Number(process.env.E2E_PORT) + 10_000}`,
      // Ignores settings of the shell that runs the tests.
      DATABASE_URL: '',
      PUBLIC_URL: '',
      // Not production: the tests read emails at /dev/mail, and every response is validated against its contract.
      NODE_ENV: 'test',
    },
    timeout: 120_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    stdout: 'pipe',
    stderr: 'pipe',
  },
})
