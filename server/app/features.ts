import { createMediaMaker } from '../adapters/images/index.ts'
import { createJobQueue } from '../adapters/jobs/pg-boss.ts'
import { createLiveBus } from '../adapters/live/index.ts'
import { createMailer } from '../adapters/mail/index.ts'
import { createPictureFetcher } from '../adapters/outside/fetch-picture.ts'
import { httpsTransport } from '../adapters/push/https-transport.ts'
import { createPusher } from '../adapters/push/vapid-pusher.ts'
import { createStorage } from '../adapters/storage/index.ts'
import type { OpenDatabase } from '../db/open-database.ts'
import { accountJobs, accountSchedules, createAuth, createSessionReader, registerAccounts } from '../features/accounts/index.ts'
import { registerBlocks } from '../features/blocks/index.ts'
import { registerBusinesses, setBusinessPicture } from '../features/businesses/index.ts'
import { registerComments } from '../features/comments/index.ts'
import { registerFavorites } from '../features/favorites/index.ts'
import { registerFollows } from '../features/follows/index.ts'
import { homeJobs, homeSchedules, registerHome } from '../features/home/index.ts'
import { registerLive } from '../features/live/index.ts'
import { mediaJobs, mediaSchedules, registerMedia } from '../features/media/index.ts'
import { registerMenus } from '../features/menus/index.ts'
import { notificationJobs, notificationSchedules, registerNotifications, unreadCount } from '../features/notifications/index.ts'
import { registerPeople } from '../features/people/index.ts'
import { registerPlaces } from '../features/places/index.ts'
import { attachPicture, mayReadPostMedia, registerPosts, viewerOf } from '../features/posts/index.ts'
import { registerReports } from '../features/reports/index.ts'
import { registerReviews } from '../features/reviews/index.ts'
import { registerSubscriptions } from '../features/subscriptions/index.ts'
import type { Context } from '../kernel/context.ts'
import { createEvents } from '../kernel/events.ts'
import type { JobHandlers, JobSchedule } from '../kernel/jobs.ts'
import type { Api } from '../kernel/route.ts'
import { keptVapidKeys } from '../secrets.ts'
import { subscribers } from './subscribers.ts'

type Base = Omit<Context, 'mail' | 'jobs' | 'events' | 'storage' | 'mediaMaker' | 'fetchPicture' | 'live' | 'pusher' | 'sessions'>
/** What a test puts in the place of an adapter. */
export type Replacements = Partial<Pick<Context, 'mail' | 'jobs' | 'fetchPicture' | 'live' | 'pusher'>>

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
  const storage = createStorage(base.config)
  const mediaMaker = createMediaMaker(base.log)
  const fetchPicture = replacements.fetchPicture ?? createPictureFetcher()
  const events = createEvents(jobs, subscribers)
  const live = replacements.live ?? createLiveBus(base.config, database, base.log)
  const vapidKeys = base.config.vapidKeys ?? keptVapidKeys(base.config.dataDir)
  const pusher = replacements.pusher ?? createPusher({ keys: vapidKeys, contact: base.config.supportEmail, transport: httpsTransport })
  const auth = createAuth({ ...base, jobs })
  const sessions = createSessionReader({ pool: database.pool, cookie: auth.cookie, clock: base.clock })
  const ctx: Context = { ...base, mail, jobs, events, storage, mediaMaker, fetchPicture, live, pusher, sessions }

  const jobHandlers: JobHandlers = {
    ...accountJobs(ctx),
    ...mediaJobs(ctx, { toPost: attachPicture, toBusiness: setBusinessPicture }),
    ...homeJobs(ctx),
    ...notificationJobs(ctx),
  }
  const schedules: JobSchedule[] = [...accountSchedules, ...mediaSchedules, ...homeSchedules, ...notificationSchedules]

  return {
    ctx,
    jobHandlers,
    register(app) {
      const api: Api = { app, ctx }
      registerAccounts(api, auth)
      registerBlocks(api)
      registerBusinesses(api)
      registerComments(api)
      registerFavorites(api)
      registerFollows(api)
      registerHome(api)
      registerLive(api, { unreadCount: (userId) => unreadCount(ctx, userId) })
      registerMedia(api, (db, actor, mediaId) => mayReadPostMedia(db, viewerOf(actor, base.clock.now()), mediaId))
      registerMenus(api)
      registerNotifications(api)
      registerPeople(api)
      registerPlaces(api)
      registerPosts(api)
      registerReports(api)
      registerReviews(api)
      registerSubscriptions(api)
      // Where nobody listens, no page is open.
      app.addHook('onListen', () => live.start())
    },
    startJobs: () => queue.startWorkers(jobHandlers, schedules),
    async stop() {
      await queue.stop()
      await mediaMaker.stop()
      await live.stop()
      await mail.close()
    },
  }
}
