import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse, RouteOptions } from 'fastify'
import type { CurrentUser, Registration } from '#contracts/accounts.ts'
import type { VisitorPage } from '#contracts/visitor-pages.ts'
import { buildApp } from '#server/app/build-app.ts'
import { loadConfig, projectRoot } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import type { Reads } from '#server/db/replicas.ts'
import { type Context, type FetchPicture, type Outside, OutsideRefused } from '#server/kernel/context.ts'
import { type ReadRegister, RegisterUnavailable } from '#server/kernel/license-registers.ts'
import { createLog } from '#server/log.ts'
import { createMemoryJobs } from '#tests/support/memory-jobs.ts'
import { createTestClock, type TestClock } from './clock.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { findWrongMediaUses } from './media-uses.ts'
import { rememberedHash } from './password-hash.ts'
import { rememberedSerializers } from './remembered-serializers.ts'

type Options = {
  env?: Record<string, string>
  /** The clock's time at the start; defaults to the real time. */
  startsAt?: Date
  onRoute?: (method: string, url: string, config: RouteOptions['config']) => void
  /** Receives the log's lines instead of the terminal. */
  logTo?: (line: string) => void
  /** Used instead of a new database, and dropped with the app. */
  database?: TestDatabase & { reads?: Reads }
  /** Visitors' pages show their data as JSON instead of the built web app's rendering. */
  hasVisitorPages?: boolean
  /** Calls addresses that people entered. By default, tests have no network access. */
  outside?: Outside
  /** Fetches pictures from other sites. By default, tests have no network access. */
  fetchPicture?: FetchPicture
  /** Reads license registers. By default, they can't be reached. */
  readRegister?: ReadRegister
}

export type TestPerson = { cookie: string; user: CurrentUser; email: string; password: string }

export type TestApp = {
  app: FastifyInstance
  ctx: Context
  db: Db
  clock: TestClock
  dataDir: string
  sessionCookieName: string
  /** Runs queued jobs, including jobs that they queue. */
  runJobs(): Promise<void>
  /** Creates an account with onboarding completed. */
  signUp(details?: Partial<Registration>): Promise<TestPerson>
  /** `as`: null for a visitor. */
  request(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    as?: TestPerson | null,
    payload?: object,
  ): Promise<LightMyRequestResponse>
  close(): Promise<void>
}

let people = 0

const noOutside = async (): Promise<never> => {
  throw new OutsideRefused('Tests have no network access.')
}

const noRegister: ReadRegister = () => {
  throw new RegisterUnavailable('Tests have no network access.')
}

/** The whole server on a separate database, without a listening port. */
export async function startTestApp(options: Options = {}): Promise<TestApp> {
  const database = options.database ?? (await createTestDatabase())
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'sungrove-test-'))
  const config = loadConfig({
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    SESSION_SECRET: 'a secret for tests that is long enough',
    RATE_LIMIT_SCALE: '1000',
    // Disables load shedding, because the machine is busy with other tests.
    MAX_EVENT_LOOP_DELAY_MS: '0',
    LOG_LEVEL: 'error',
    ...options.env,
  })
  const { logTo } = options
  // Logs through the console, so lines appear only next to a failed test.
  const log = createLog(config, { write: logTo ?? ((line) => console.log(line.trimEnd())) })
  const clock = createTestClock()
  if (options.startsAt) clock.set(options.startsAt)
  const distDir = path.join(dataDir, 'dist')
  fs.mkdirSync(path.join(distDir, 'assets'), { recursive: true })
  fs.copyFileSync(path.join(projectRoot, 'web/index.html'), path.join(distDir, 'index.html'))
  fs.writeFileSync(path.join(distDir, 'assets/app-abc123.js'), 'export {}')
  if (options.hasVisitorPages) addVisitorPages(distDir)
  const jobs = createMemoryJobs(clock)
  const { outside = { call: noOutside, check: noOutside }, fetchPicture = noOutside, readRegister = noRegister } = options
  const replacements = { jobs, hashPassword: rememberedHash, outside, fetchPicture, readRegister }
  const { app, ctx, jobHandlers } = await buildApp({
    config,
    database,
    log,
    clock,
    distDir,
    replacements,
    prepare: (fastify) =>
      fastify.setSerializerCompiler(rememberedSerializers).addHook('onRoute', ({ method, url, config }) => {
        for (const each of [method].flat()) options.onRoute?.(each, url, config)
      }),
  })
  await app.ready()

  const request: TestApp['request'] = (method, url, as, payload) => {
    const headers = {
      ...(as ? { cookie: as.cookie } : {}),
      ...(Buffer.isBuffer(payload) ? { 'content-type': 'application/octet-stream' } : {}),
    }
    const call: InjectOptions = { method, url, headers, ...(payload ? { payload } : {}) }
    return app.inject(call)
  }
  return {
    app,
    ctx,
    db: database.db,
    clock,
    dataDir,
    runJobs: () => jobs.run(jobHandlers),
    sessionCookieName: `${ctx.brand.slug}.session_token`,
    request,
    async signUp(details = {}) {
      const number = ++people
      const registration = {
        email: `person-${number}-${process.pid}@example.com`,
        password: 'seven green terraces at dawn',
        firstName: 'Person',
        lastName: `Number ${number}`,
        birthday: '1990-04-01',
        accountType: 'consumer' as const,
        ...details,
      }
      const registered = await request('POST', '/api/register', null, registration)
      if (registered.statusCode !== 201) throw new Error(`sign-up failed: ${registered.body}`)
      const cookie = registered.cookies
        .filter((each) => each.name !== 'written')
        .map((each) => `${each.name}=${encodeURIComponent(each.value)}`)
        .join('; ')
      const person = { cookie, email: registration.email, password: registration.password }
      const profile = await app.inject({
        method: 'POST',
        url: '/api/user/profile',
        headers: { cookie },
        payload: { firstName: registration.firstName, lastName: registration.lastName, location: 'Denver, CO' },
      })
      if (profile.statusCode !== 200) throw new Error(`profile failed: ${profile.body}`)
      return { ...person, user: profile.json() as CurrentUser }
    },
    async close() {
      const amiss = await findWrongMediaUses(database.db)
      await app.close()
      await database.drop()
      fs.rmSync(dataDir, { recursive: true, force: true })
      if (amiss.length > 0) throw new Error(`A write left media_uses behind: ${amiss.join(', ')}. It must end with syncMediaUses.`)
    },
  }
}

/** Stands in for the build of web/static-pages.tsx. */
function addVisitorPages(distDir: string): void {
  fs.copyFileSync(path.join(projectRoot, 'web/static-page.html'), path.join(distDir, 'static-page.html'))
  fs.mkdirSync(path.join(distDir, '.static-pages'))
  fs.writeFileSync(
    path.join(distDir, '.static-pages/static-pages.mjs'),
    `export const renderStaticPages = async () => ({})
export const renderVisitorPage = async (page) => '<pre>' + JSON.stringify(page).replace(/</g, '&lt;') + '</pre>'`,
  )
}

/** The data of a visitors' page, for apps with `hasVisitorPages`. */
export const visitorPageOf = (html: string): VisitorPage =>
  JSON.parse((/<pre>(.*)<\/pre>/s.exec(html)?.[1] ?? 'null').replaceAll('&lt;', '<')) as VisitorPage
