import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import Fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify'
import pino from 'pino'
import { makeBrand } from '#contracts/brand.ts'
import { createMediaMaker } from '#server/adapters/images/worker-pool.ts'
import { createPayments } from '#server/adapters/payments/index.ts'
import { createStorage } from '#server/adapters/storage/index.ts'
import { answerErrors } from '#server/app/http-errors.ts'
import { loadConfig } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import { primaryOnly } from '#server/db/replicas.ts'
import { type Auth, accountJobs, createAuth, createSessionReader, registerAccounts } from '#server/features/accounts/index.ts'
import { createDemoGate } from '#server/features/demo/index.ts'
import { createAnswerCache } from '#server/kernel/answer-cache.ts'
import { type Context, OutsideRefused } from '#server/kernel/context.ts'
import { createEvents } from '#server/kernel/events.ts'
import type { JobHandlers } from '#server/kernel/jobs.ts'
import { readJsonBodies } from '#server/kernel/json-body.ts'
import type { Mail } from '#server/kernel/mail.ts'
import { createRateLimiter } from '#server/kernel/rate-limit.ts'
import { createMemoryJobs, type MemoryJobs } from '#tests/support/memory-jobs.ts'
import { createMemoryLiveBus } from '#tests/support/memory-live.ts'
import { createTestClock, type TestClock } from './clock.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { rememberedHash } from './password-hash.ts'

export type AccountsApp = {
  app: FastifyInstance
  ctx: Context
  auth: Auth
  db: Db
  clock: TestClock
  jobs: MemoryJobs
  mails: Mail[]
  /** Runs queued jobs, including those that send email. */
  runJobs(): Promise<void>
  post(url: string, payload: object, headers?: Record<string, string>): Promise<LightMyRequestResponse>
  get(url: string, headers?: Record<string, string>): Promise<LightMyRequestResponse>
  close(): Promise<void>
}

let addresses = 0

const noOutside = async (): Promise<never> => {
  throw new OutsideRefused('Tests have no network access.')
}

/** Only the accounts feature, by default on a separate database, with email and jobs under the test's control. */
export async function startAccountsApp(env: Record<string, string> = {}, shared?: TestDatabase): Promise<AccountsApp> {
  const database = shared ?? (await createTestDatabase())
  const config = loadConfig({
    NODE_ENV: 'test',
    SESSION_SECRET: 'a secret for tests that is long enough',
    DATA_DIR: fs.mkdtempSync(path.join(os.tmpdir(), 'sungrove-test-')),
    RATE_LIMIT_SCALE: '1000',
    LOG_LEVEL: 'silent',
    ...env,
  })
  const log = pino({ level: config.logLevel })
  const clock = createTestClock()
  const brand = makeBrand({ name: config.brandName, supportEmail: config.supportEmail, year: 2026 })
  const jobs = createMemoryJobs()
  const mails: Mail[] = []
  const auth = createAuth({ db: database.db, config, brand, log, clock, hashPassword: rememberedHash })
  const ctx: Context = {
    db: database.db,
    reads: primaryOnly(database.db),
    config,
    brand,
    log,
    clock,
    jobs,
    events: createEvents(jobs, {}),
    storage: createStorage(config),
    mediaMaker: createMediaMaker(log),
    outside: { call: noOutside, check: noOutside },
    fetchPicture: noOutside,
    live: createMemoryLiveBus(),
    payments: createPayments(config, database.db, clock),
    ai: null,
    pusher: { publicKey: '', send: async () => 'sent' },
    mail: { send: async (mail) => void mails.push(mail), forget: async () => 0, close: async () => {} },
    cache: createAnswerCache(),
    rateLimiter: createRateLimiter({ scale: config.rateLimitScale, store: { kind: 'memory' } }, log),
    sessions: createSessionReader({ pool: database.pool, cookie: auth.cookie, clock, config }),
    keys: { read: async () => null },
    personKeys: { read: async () => null },
    demo: createDemoGate(database.db),
  }
  const app = Fastify()
  readJsonBodies(app)
  answerErrors(app)
  registerAccounts({ app, ctx }, auth, [])
  await app.ready()

  return {
    app,
    ctx,
    auth,
    db: database.db,
    clock,
    jobs,
    mails,
    runJobs: () => jobs.run(accountJobs(ctx, []) as JobHandlers),
    post: (url, payload, headers = {}) => app.inject({ method: 'POST', url, payload, headers }),
    get: (url, headers = {}) => app.inject({ url, headers }),
    async close() {
      await app.close()
      await database.drop()
      fs.rmSync(config.dataDir, { recursive: true, force: true })
    },
  }
}

/** Requires a confirmed email address even without a mail server. */
export const confirmingEnv = { EMAIL_VERIFICATION: 'required' }

export const goodPassword = 'seven green terraces at dawn'

export const registration = (details: object = {}) => ({
  email: `person-${++addresses}@example.com`,
  password: goodPassword,
  firstName: 'Robin',
  lastName: 'Meadows',
  birthday: '1990-04-01',
  accountType: 'consumer',
  ...details,
})

/** The cookie that a browser sends after this response; undefined if it set no session cookie. */
export function sessionCookieOf(response: LightMyRequestResponse): string | undefined {
  const cookie = response.cookies.find(({ name }) => name.endsWith('.session_token'))
  return cookie?.value ? `${cookie.name}=${encodeURIComponent(cookie.value)}` : undefined
}

export function linkToken(mails: readonly Mail[]): string {
  const link = /https?:\/\/\S+[?&]token=\S+/.exec(mails.at(-1)?.text ?? '')
  const token = link && new URL(link[0]).searchParams.get('token')
  if (!token) throw new Error(`no link with a token in ${JSON.stringify(mails.at(-1))}`)
  return token
}
