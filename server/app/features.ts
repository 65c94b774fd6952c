import { createAi } from '../adapters/ai/index.ts'
import { createMediaMaker } from '../adapters/images/index.ts'
import { createJobQueue } from '../adapters/jobs/pg-boss.ts'
import { createLiveBus } from '../adapters/live/index.ts'
import { createMailer } from '../adapters/mail/index.ts'
import { createPictureFetcher } from '../adapters/outside/fetch-picture.ts'
import { createPayments } from '../adapters/payments/index.ts'
import { httpsTransport } from '../adapters/push/https-transport.ts'
import { createPusher } from '../adapters/push/vapid-pusher.ts'
import { createPostgresSearch } from '../adapters/search/postgres.ts'
import { createStorage } from '../adapters/storage/index.ts'
import type { OpenDatabase } from '../db/open-database.ts'
import { type Auth, accountJobs, accountSchedules, createAuth, createSessionReader, registerAccounts } from '../features/accounts/index.ts'
import { registerAdmin } from '../features/admin/index.ts'
import { billingJobs, billingSchedules, registerBilling } from '../features/billing/index.ts'
import { registerBlindPanels } from '../features/blind-panels/index.ts'
import { registerBlocks } from '../features/blocks/index.ts'
import { moderatedBusiness } from '../features/businesses/business.moderated.ts'
import { isBusinessPictureShown, registerBusinesses, setBusinessPicture } from '../features/businesses/index.ts'
import { claimJobs, mayReadClaimDocument, registerClaims } from '../features/claims/index.ts'
import { registerClimate } from '../features/climate/index.ts'
import { moderatedComment } from '../features/comments/comment.moderated.ts'
import { registerComments } from '../features/comments/index.ts'
import { communityModeration, moderatedCommunity } from '../features/communities/community.moderated.ts'
import { mayReadCommunityPicture, registerCommunities } from '../features/communities/index.ts'
import { registerCommunityPosts } from '../features/community-posts/index.ts'
import { createDemoGate } from '../features/demo/index.ts'
import { draftJobs, draftSchedules, mayReadDraftMedia, registerDrafts } from '../features/drafts/index.ts'
import { moderatedEvent } from '../features/events/event.moderated.ts'
import { eventJobs, eventSchedules, registerEvents } from '../features/events/index.ts'
import { registerFavorites } from '../features/favorites/index.ts'
import { registerFollows } from '../features/follows/index.ts'
import { growLogJobs, growLogSchedules, mayReadLogPhoto, registerGrowLogs } from '../features/grow-logs/index.ts'
import { registerGuide } from '../features/guide/index.ts'
import { homeJobs, homeSchedules, registerHome } from '../features/home/index.ts'
import { registerHuntArchive } from '../features/hunt-archive/index.ts'
import { moderatedHunt } from '../features/hunts/hunt.moderated.ts'
import { moderatedHuntComment } from '../features/hunts/hunt-comment.moderated.ts'
import { registerHunts } from '../features/hunts/index.ts'
import { createVisitBuffer, insightJobs, insightSchedules, registerInsights } from '../features/insights/index.ts'
import { rankGenotypes, registerKeepers } from '../features/keepers/index.ts'
import { registerLabels } from '../features/labels/index.ts'
import { registerLive } from '../features/live/index.ts'
import { registerLocations } from '../features/locations/index.ts'
import { mediaJobs, mediaSchedules, registerMedia } from '../features/media/index.ts'
import { menuImportJobs, menuImportSchedules, registerMenuImports } from '../features/menu-imports/index.ts'
import { mayReadProductMedia, registerMenus } from '../features/menus/index.ts'
import { mayReadMessageMedia, moderatedMessage, registerMessages, unreadMessages } from '../features/messages/index.ts'
import {
  type ModerationParts,
  mayReadCaseMedia,
  moderationJobs,
  moderationSchedules,
  registerModeration,
} from '../features/moderation/index.ts'
import { notificationJobs, notificationSchedules, registerNotifications, unreadCount } from '../features/notifications/index.ts'
import { ownDataJobs, ownDataSchedules, registerOwnData } from '../features/own-data/index.ts'
import { isPortraitShown, mayReadPortrait, registerPeople } from '../features/people/index.ts'
import { moderatedPerson } from '../features/people/person.moderated.ts'
import { registerPlaces } from '../features/places/index.ts'
import { addFirstSeeds, registerPlants } from '../features/plants/index.ts'
import { attachPicture, isPostMediaPublic, mayReadPostMedia, registerPosts } from '../features/posts/index.ts'
import { moderatedPost } from '../features/posts/post.moderated.ts'
import { registerPreview } from '../features/preview/index.ts'
import { registerPublicMenu } from '../features/public-menu/index.ts'
import { registerReports } from '../features/reports/index.ts'
import { registerReviews } from '../features/reviews/index.ts'
import { moderatedReview } from '../features/reviews/review.moderated.ts'
import { screeningJobs, screeningSchedules } from '../features/screening/index.ts'
import { createSearchIndexer, registerSearch, searchSchedules } from '../features/search/index.ts'
import { registerStrains } from '../features/strains/index.ts'
import { registerSubscriptions } from '../features/subscriptions/index.ts'
import { registerSupport, supportJobs } from '../features/support/index.ts'
import { registerTeam, teamJobs } from '../features/team/index.ts'
import { mayReadObservedPhoto, registerTraits } from '../features/traits/index.ts'
import { mayReadLicenseDocument, registerVerification, verificationJobs, verificationSchedules } from '../features/verification/index.ts'
import type { Context } from '../kernel/context.ts'
import { createEvents } from '../kernel/events.ts'
import type { JobHandlers, JobSchedule } from '../kernel/jobs.ts'
import type { Api } from '../kernel/route.ts'
import { keptVapidKeys } from '../secrets.ts'
import { eraseSteps } from './erase-steps.ts'
import { jobLanes } from './job-lanes.ts'
import { subscribers } from './subscribers.ts'
import { type Watch, watchCalls, watchedJobs, watchedPayments } from './watch.ts'

type Base = Omit<
  Context,
  'mail' | 'jobs' | 'events' | 'storage' | 'mediaMaker' | 'fetchPicture' | 'live' | 'payments' | 'pusher' | 'sessions' | 'demo' | 'ai'
>
/** What a test puts in the place of an adapter. */
export type Replacements = Partial<
  Pick<Context, 'mail' | 'jobs' | 'fetchPicture' | 'live' | 'payments' | 'pusher' | 'ai'> & Pick<Auth, 'hashPassword'>
>

export type Features = {
  ctx: Context
  /** Every feature's routes. */
  register(app: Api['app']): void
  jobHandlers: JobHandlers
  /** Begins to do queued and scheduled jobs in this process. */
  startJobs(): Promise<void>
  stop(): Promise<void>
}

/** What moderators deal with, each as the feature says whose it is. */
const moderation: ModerationParts = {
  subjects: {
    post: moderatedPost,
    comment: moderatedComment,
    review: moderatedReview,
    person: moderatedPerson,
    business: moderatedBusiness,
    hunt: moderatedHunt,
    hunt_comment: moderatedHuntComment,
    community: moderatedCommunity,
    message: moderatedMessage,
    event: moderatedEvent,
  },
  communities: communityModeration,
}

/** The one place that knows every feature: wires adapters, routes and jobs. */
export function wireFeatures(
  base: Base,
  database: Pick<OpenDatabase, 'pool' | 'url'>,
  replacements: Replacements = {},
  watch: Watch | null = null,
): Features {
  const queue = createJobQueue({ connectionString: database.url, log: base.log })
  const watched = <Service extends object>(name: 'mail' | 'push', service: Service) =>
    watch ? watchCalls(service, (call) => watch.outside(name, call)) : service
  const mail = watched('mail', replacements.mail ?? createMailer(base.config))
  const jobs = replacements.jobs ?? queue
  const storage = createStorage(base.config)
  const mediaMaker = createMediaMaker(base.log)
  const fetchPicture = replacements.fetchPicture ?? createPictureFetcher()
  const events = createEvents(jobs, subscribers)
  const live = replacements.live ?? createLiveBus(base.config, database, base.log)
  const payments = watchedPayments(replacements.payments ?? createPayments(base.config, base.db, base.clock), watch)
  const ai = replacements.ai === undefined ? createAi(base.config, base.clock) : replacements.ai
  const vapidKeys = base.config.vapidKeys ?? keptVapidKeys(base.config.dataDir)
  const pusher = watched(
    'push',
    replacements.pusher ?? createPusher({ keys: vapidKeys, contact: base.config.supportEmail, transport: httpsTransport }),
  )
  const auth = createAuth({ ...base, jobs, ...(replacements.hashPassword ? { hashPassword: replacements.hashPassword } : {}) })
  const sessions = createSessionReader({ pool: database.pool, cookie: auth.cookie, clock: base.clock, config: base.config })
  const ctx: Context = {
    ...base,
    mail,
    jobs,
    events,
    storage,
    mediaMaker,
    fetchPicture,
    live,
    payments,
    pusher,
    sessions,
    ai,
    demo: createDemoGate(base.db),
  }

  const visits = createVisitBuffer(ctx)
  const searchIndex = createPostgresSearch(base.db)
  const indexer = createSearchIndexer({ ...base, index: searchIndex })
  const jobHandlers: JobHandlers = {
    ...accountJobs(ctx),
    ...billingJobs(ctx),
    ...mediaJobs(ctx, { toPost: attachPicture, toBusiness: setBusinessPicture }),
    ...draftJobs(ctx),
    ...eventJobs(ctx),
    ...growLogJobs(ctx),
    ...homeJobs(ctx),
    ...menuImportJobs(ctx),
    ...insightJobs(ctx, visits),
    ...moderationJobs(ctx, moderation),
    ...notificationJobs(ctx),
    ...ownDataJobs(ctx, eraseSteps),
    ...supportJobs(ctx),
    ...teamJobs(ctx),
    ...claimJobs(ctx),
    ...screeningJobs(ctx),
    ...indexer.jobs,
    ...verificationJobs(ctx),
  }
  const schedules: JobSchedule[] = [
    ...accountSchedules,
    ...billingSchedules,
    ...draftSchedules,
    ...eventSchedules,
    ...growLogSchedules,
    ...mediaSchedules,
    ...menuImportSchedules,
    ...homeSchedules,
    ...insightSchedules,
    ...moderationSchedules,
    ...notificationSchedules,
    ...ownDataSchedules,
    ...screeningSchedules,
    ...searchSchedules,
    ...verificationSchedules,
  ]

  return {
    ctx,
    jobHandlers,
    register(app) {
      const api: Api = { app, ctx }
      registerAccounts(api, auth)
      registerAdmin(api)
      registerBilling(api)
      registerBlindPanels(api)
      registerBlocks(api)
      registerBusinesses(api)
      registerClaims(api)
      registerClimate(api)
      registerComments(api)
      registerCommunities(api)
      registerCommunityPosts(api)
      registerDrafts(api)
      registerEvents(api)
      registerFavorites(api)
      registerFollows(api)
      registerGrowLogs(api)
      registerGuide(api)
      registerHome(api)
      registerHuntArchive(api, { databaseUrl: database.url })
      registerHunts(api, { addFirstSeeds })
      registerInsights(api, visits)
      registerKeepers(api)
      registerLabels(api)
      registerLive(api, { unreadCount: (userId) => unreadCount(ctx, userId), unreadMessages: (userId) => unreadMessages(ctx.db, userId) })
      registerLocations(api)
      registerMedia(api, {
        open: {
          post: { is: 'public', isForEveryone: isPostMediaPublic },
          business: { is: 'portrait', isForEveryone: isBusinessPictureShown },
          person: { is: 'portrait', isForEveryone: isPortraitShown },
        },
        byKind: {
          post: mayReadPostMedia,
          draft: mayReadDraftMedia,
          // One that everyone doesn't see is for moderators, in a case.
          business: async () => false,
          community: mayReadCommunityPicture,
          person: mayReadPortrait,
          product: mayReadProductMedia,
          claim: mayReadClaimDocument,
          license: mayReadLicenseDocument,
          log: mayReadLogPhoto,
          observation: mayReadObservedPhoto,
          message: mayReadMessageMedia,
        },
        ofCase: mayReadCaseMedia(moderation.communities),
      })
      registerMenuImports(api)
      registerMenus(api)
      registerMessages(api)
      registerModeration(api, moderation)
      registerNotifications(api)
      registerOwnData(api, auth)
      registerPeople(api)
      registerPlaces(api)
      registerPlants(api, { rankGenotypes })
      registerPosts(api)
      registerPreview(api)
      registerPublicMenu(api)
      registerReports(api)
      registerReviews(api)
      registerSearch(api, searchIndex)
      registerStrains(api)
      registerSubscriptions(api)
      registerSupport(api)
      registerTeam(api)
      registerTraits(api)
      registerVerification(api)
      // Where nobody listens, no page is open.
      app.addHook('onListen', () => live.start())
    },
    async startJobs() {
      await queue.startWorkers(watch ? watchedJobs(jobHandlers, watch) : jobHandlers, schedules, jobLanes)
      indexer.start()
    },
    async stop() {
      await indexer.stop()
      await queue.stop()
      await visits.flush()
      await mediaMaker.stop()
      await live.stop()
      await mail.close()
    },
  }
}
