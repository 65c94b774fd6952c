import { createJobQueue } from '../adapters/jobs/pg-boss.ts'
import { createMailer } from '../adapters/mail/index.ts'
import type { OpenDatabase } from '../db/open-database.ts'
import { accountJobs, accountSchedules, createAuth, createSessionReader, registerAccounts } from '../features/accounts/index.ts'
import { registerBusinesses } from '../features/businesses/index.ts'
import { registerFavorites } from '../features/favorites/index.ts'
import { registerMenus } from '../features/menus/index.ts'
import { registerPlaces } from '../features/places/index.ts'
import { registerPosts } from '../features/posts/index.ts'
import { registerReviews } from '../features/reviews/index.ts'
import { registerSubscriptions } from '../features/subscriptions/index.ts'
import type { Context } from '../kernel/context.ts'
import type { JobHandlers, JobSchedule } from '../kernel/jobs.ts'
import type { Api } from '../kernel/route.ts'

type Base = Omit<Context, 'mail' | 'jobs' | 'sessions'>
/** What a test puts in the place of an adapter. */
export type Replacements = Partial<Pick<Context, 'mail' | 'jobs'>>

export type Features = {
  ctx: Context
  /** Every feature's routes. */
  register(app: Api['app']): void
  jobHandlers: JobHandlers
  /** Begins to do queued and scheduled jobs in this process. */
  startJobs(): Promise<void>
  stop(): Promise<void>
}

/** The one place that knows every feature: wires adapters, routes and jobs. */
export function wireFeatures(base: Base, database: Pick<OpenDatabase, 'pool' | 'url'>, replacements: Replacements = {}): Features {
  const queue = createJobQueue({ connectionString: database.url, log: base.log })
  const mail = replacements.mail ?? createMailer(base.config)
  const jobs = replacements.jobs ?? queue
  const auth = createAuth({ ...base, jobs })
  const sessions = createSessionReader({ pool: database.pool, cookie: auth.cookie, clock: base.clock })
  const ctx: Context = { ...base, mail, jobs, sessions }

  const jobHandlers: JobHandlers = { ...accountJobs(ctx) }
  const schedules: JobSchedule[] = [...accountSchedules]

  return {
    ctx,
    jobHandlers,
    register(app) {
      const api: Api = { app, ctx }
      registerAccounts(api, auth)
      registerBusinesses(api)
      registerFavorites(api)
      registerMenus(api)
      registerPlaces(api)
      registerPosts(api)
      registerReviews(api)
      registerSubscriptions(api)
    },
    startJobs: () => queue.startWorkers(jobHandlers, schedules),
    async stop() {
      await queue.stop()
      await mail.close()
    },
  }
}
