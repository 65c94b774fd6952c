import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { defineConfig, devices } from '@playwright/test'

const isMain = process.env.TEST_WORKER_INDEX === undefined
// Workers read this file again: what is chosen here reaches them through the environment.
process.env.E2E_PORT ??= String(20_000 + (process.pid % 10_000))
/** The server's data folder; tests find the mail that it would have sent in `outbox`. */
process.env.E2E_DATA_DIR ??= path.join(os.tmpdir(), `sungrove-e2e-${process.pid}`)
const dataDir = process.env.E2E_DATA_DIR
// The server has stopped by then.
if (isMain) process.once('exit', () => fs.rmSync(dataDir, { recursive: true, force: true }))

const origin = `http://localhost:${process.env.E2E_PORT}`

const desktop = { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } }
const launchOptions = process.env.CHROMIUM ? { executablePath: process.env.CHROMIUM } : {}
const args = [
  // As root, as in most containers, Chromium has no sandbox.
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export default defineConfig({
  testDir: 'tests/e2e',
  // Two cores for the browser, the server and the database.
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // The longest take a third of it on a quiet machine. It may be anything but quiet.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ...(process.env.E2E_REPORT ? [['json', { outputFile: process.env.E2E_REPORT }] as const] : [])],
  use: {
    baseURL: origin,
    screenshot: 'only-on-failure',
    // Where none is what a test is about: it would fetch and keep the whole app for each person who signs in.
    serviceWorkers: 'block',
    // What moves is waited for before it is pressed.
    contextOptions: { reducedMotion: 'reduce' },
    // No WebGL either: a map would be drawn by the processor, which takes most of a test's time. The project `map` has it.
    launchOptions: { ...launchOptions, args: [...args, '--disable-gpu', '--disable-3d-apis'] },
  },
  projects: [
    { name: 'chromium', grepInvert: /@map/, use: desktop },
    {
      name: 'map',
      grep: /@map/,
      use: {
        ...desktop,
        // The map needs WebGL. Without a graphics card the processor draws it, and with it all else: half as fast, so not everywhere.
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
      LOG_LEVEL: 'warn',
      // Whatever the shell that runs the tests has set is not for this server.
      DATABASE_URL: '',
      PUBLIC_URL: '',
      // Not production: the tests read the mail at /dev/mail, and every answer is checked against its contract.
      NODE_ENV: 'test',
    },
    timeout: 120_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    stdout: 'pipe',
    stderr: 'pipe',
  },
})
