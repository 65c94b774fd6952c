import { createAi } from '#server/adapters/ai/openai-compatible.ts'
import { createMediaMaker } from '#server/adapters/images/worker-pool.ts'
import { createJobQueue } from '#server/adapters/jobs/pg-boss.ts'
import { createLiveBus } from '#server/adapters/live/index.ts'
import { createMailer } from '#server/adapters/mail/index.ts'
import { createOutside, createPictureFetcher } from '#server/adapters/outside/call-outside.ts'
import { createPayments } from '#server/adapters/payments/index.ts'
import { createPusher, pushTransport } from '#server/adapters/push/vapid-pusher.ts'
import { createRegisterReader } from '#server/adapters/registers/read-register.ts'
import { createPostgresSearch } from '#server/adapters/search/postgres.ts'
import { createStorage } from '#server/adapters/storage/index.ts'
import type { OpenDatabase } from '#server/db/open-database.ts'
import {
  type Auth,
  accountJobs,
  accountSchedules,
  createAuth,
  createPersonKeyReader,
  createSessionReader,
  registerAccounts,
} from '#server/features/accounts/index.ts'
import { registerAdmin } from '#server/features/admin/index.ts'
import { billingJobs, billingSchedules, registerBilling } from '#server/features/billing/index.ts'
import { registerBlindPanels } from '#server/features/blind-panels/index.ts'
import { blockJobs, blockSchedules, registerBlocks, registerMutes } from '#server/features/blocks/index.ts'
import { registerBrapi } from '#server/features/brapi/index.ts'
import { attachFetchedPicture, isBusinessPictureShown, registerBusinesses } from '#server/features/businesses/index.ts'
import { registerCertificates } from '#server/features/certificates/index.ts'
import { claimJobs, mayReadClaimDocument, registerClaims } from '#server/features/claims/index.ts'
import { registerClimate } from '#server/features/climate/index.ts'
import { registerComments } from '#server/features/comments/index.ts'
import { communityJobs, communitySchedules, mayReadCommunityPicture, registerCommunities } from '#server/features/communities/index.ts'
import { registerCommunityPosts } from '#server/features/community-posts/index.ts'
import { registerCorrections } from '#server/features/corrections/index.ts'
import { createDemoGate } from '#server/features/demo/index.ts'
import { directoryJobs, directorySchedules } from '#server/features/directory/index.ts'
import { draftJobs, draftSchedules, mayReadDraftMedia, registerDrafts } from '#server/features/drafts/index.ts'
import { eventJobs, eventSchedules, registerEvents } from '#server/features/events/index.ts'
import { registerFavorites } from '#server/features/favorites/index.ts'
import { registerFollows } from '#server/features/follows/index.ts'
import { registerGroups } from '#server/features/groups/index.ts'
import { growLogJobs, growLogSchedules, mayReadLogPhoto, registerGrowLogs } from '#server/features/grow-logs/index.ts'
import { registerGuide } from '#server/features/guide/index.ts'
import { homeJobs, homeSchedules, registerHome } from '#server/features/home/index.ts'
import { registerHuntArchive } from '#server/features/hunt-archive/index.ts'
import { registerHunts } from '#server/features/hunts/index.ts'
import { createVisitBuffer, insightJobs, insightSchedules, registerInsights } from '#server/features/insights/index.ts'
import { rankGenotypes, registerKeepers } from '#server/features/keepers/index.ts'
import { createKeyReader, registerKeys } from '#server/features/keys/index.ts'
import { registerLabels } from '#server/features/labels/index.ts'
import { registerLive } from '#server/features/live/index.ts'
import { locationJobs, locationSchedules, registerLocations } from '#server/features/locations/index.ts'
import { mediaJobs, mediaSchedules, registerMedia } from '#server/features/media/index.ts'
import { menuImportJobs, menuImportSchedules, registerMenuImports } from '#server/features/menu-imports/index.ts'
import { mayReadProductMedia, menuJobs, menuSchedules, registerMenus } from '#server/features/menus/index.ts'
import { registerMerges } from '#server/features/merges/index.ts'
import { mayReadMessageMedia, messageJobs, registerMessages, unreadMessages } from '#server/features/messages/index.ts'
import { mayReadCaseMedia, moderationJobs, moderationSchedules, registerModeration } from '#server/features/moderation/index.ts'
import { notificationJobs, notificationSchedules, registerNotifications, unreadCountOf } from '#server/features/notifications/index.ts'
import { ownDataJobs, ownDataSchedules, registerOwnData } from '#server/features/own-data/index.ts'
import { isGalleryItemShown, mayReadGalleryMedia, registerPageExtras } from '#server/features/page-extras/index.ts'
import { isPortraitShown, mayReadPortrait, registerPeople } from '#server/features/people/index.ts'
import { registerPlaces } from '#server/features/places/index.ts'
import { addFirstSeeds, moveSeedStarts, registerPlants } from '#server/features/plants/index.ts'
import { attachPicture, isPostMediaPublic, mayReadPostMedia, registerPosts } from '#server/features/posts/index.ts'
import { registerPreview } from '#server/features/preview/index.ts'
import { registerProductSearch } from '#server/features/product-search/index.ts'
import { registerPublicMenu } from '#server/features/public-menu/index.ts'
import { registerReports } from '#server/features/reports/index.ts'
import { isReviewShown, registerReviews, reviewJobs } from '#server/features/reviews/index.ts'
import { screeningJobs, screeningSchedules } from '#server/features/screening/index.ts'
import { createSearchIndexer, registerSearch, searchSchedules } from '#server/features/search/index.ts'
import { registerStrains } from '#server/features/strains/index.ts'
import { registerSubscriptions } from '#server/features/subscriptions/index.ts'
import { registerSupport, supportJobs } from '#server/features/support/index.ts'
import { registerTeam, teamJobs } from '#server/features/team/index.ts'
import { mayReadObservedPhoto, registerTraits } from '#server/features/traits/index.ts'
import {
  mayReadLicenseDocument,
  registerVerification,
  verificationJobs,
  verificationSchedules,
} from '#server/features/verification/index.ts'
import { registerWebhooks, webhookJobs, webhookSchedules } from '#server/features/webhooks/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { createEvents } from '#server/kernel/events.ts'
import type { JobHandlers, JobSchedule } from '#server/kernel/jobs.ts'
import type { ReadRegister } from '#server/kernel/license-registers.ts'
import type { Api } from '#server/kernel/route.ts'
import { storedVapidKeys } from '#server/secrets.ts'
import { jobLanes, renamedJobs, subscribers } from './jobs.ts'
import { eraseSteps, moderation, notificationOwners, programAccess } from './registries.ts'
import { type Watch, watchCalls, watchJobs, watchPayments } from './watch.ts'

type Base = Pick<Context, 'db' | 'reads' | 'config' | 'brand' | 'log' | 'clock' | 'cache' | 'rateLimiter'>
export type Replacements = Partial<
  Pick<Context, 'mail' | 'jobs' | 'outside' | 'fetchPicture' | 'live' | 'payments' | 'pusher' | 'ai'> &
    Pick<Auth, 'hashPassword'> & { readRegister: ReadRegister }
>

export type Features = {
  ctx: Context
  register(app: Api['app']): void
  jobHandlers: JobHandlers
  startJobs(): Promise<void>
  stop(): Promise<void>
}

/** The composition root: creates the adapters and registers the features. */
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
  const readRegister = replacements.readRegister ?? createRegisterReader()
  const outside = replacements.outside ?? createOutside({ alsoAllowed: base.config.privateTargets })
  const fetchPicture = replacements.fetchPicture ?? createPictureFetcher(createOutside())
  const events = createEvents(jobs, subscribers)
  const live = replacements.live ?? createLiveBus(base.config, database, base.log)
  const payments = watchPayments(replacements.payments ?? createPayments(base.config, base.db, base.clock), watch)
  const ai = replacements.ai === undefined ? createAi(base.config, base.clock) : replacements.ai
  const vapidKeys = base.config.vapidKeys ?? storedVapidKeys(base.config.dataDir)
  const pusher = watched(
    'push',
    replacements.pusher ?? createPusher({ keys: vapidKeys, contact: base.config.supportEmail, transport: pushTransport(createOutside()) }),
  )
  const auth = createAuth({ ...base, ...(replacements.hashPassword ? { hashPassword: replacements.hashPassword } : {}) })
  const sessions = createSessionReader({ pool: database.pool, cookie: auth.cookie, clock: base.clock, config: base.config })
  const ctx: Context = {
    ...base,
    mail,
    jobs,
    events,
    storage,
    mediaMaker,
    outside,
    fetchPicture,
    live,
    payments,
    pusher,
    sessions,
    keys: createKeyReader(base),
    personKeys: createPersonKeyReader(base),
    ai,
    demo: createDemoGate(base.db),
  }

  const visits = createVisitBuffer(ctx)
  const searchIndex = createPostgresSearch(base.db)
  const indexer = createSearchIndexer({ ...base, index: searchIndex })
  const jobHandlers: JobHandlers = {
    ...accountJobs(ctx, programAccess),
    ...billingJobs(ctx),
    ...blockJobs(ctx),
    ...mediaJobs(ctx, { toPost: attachPicture, toBusiness: attachFetchedPicture }),
    ...communityJobs(ctx),
    ...directoryJobs(ctx, readRegister),
    ...draftJobs(ctx),
    ...eventJobs(ctx),
    ...growLogJobs(ctx),
    ...homeJobs(ctx),
    ...locationJobs(ctx),
    ...menuImportJobs(ctx),
    ...menuJobs(ctx),
    ...insightJobs(ctx, visits),
    ...moderationJobs(ctx, moderation),
    ...notificationJobs(ctx, notificationOwners),
    ...ownDataJobs(ctx, eraseSteps),
    ...messageJobs(ctx),
    ...reviewJobs(ctx),
    ...supportJobs(ctx),
    ...teamJobs(ctx),
    ...claimJobs(ctx),
    ...screeningJobs(ctx),
    ...indexer.jobs,
    ...verificationJobs(ctx),
    ...webhookJobs(ctx),
  }
  const schedules: JobSchedule[] = [
    ...accountSchedules,
    ...billingSchedules,
    ...blockSchedules,
    ...communitySchedules,
    ...directorySchedules,
    ...draftSchedules,
    ...eventSchedules,
    ...growLogSchedules,
    ...locationSchedules,
    ...mediaSchedules,
    ...menuImportSchedules,
    ...menuSchedules,
    ...homeSchedules,
    ...insightSchedules,
    ...moderationSchedules,
    ...notificationSchedules,
    ...ownDataSchedules,
    ...screeningSchedules,
    ...searchSchedules,
    ...verificationSchedules,
    ...webhookSchedules,
  ]

  return {
    ctx,
    jobHandlers,
    register(app) {
      const api: Api = { app, ctx }
      registerAccounts(api, auth, programAccess)
      registerAdmin(api)
      registerBilling(api, auth)
      registerBlindPanels(api)
      registerBlocks(api)
      registerBrapi(api)
      registerBusinesses(api)
      registerCertificates(api)
      registerClaims(api)
      registerClimate(api)
      registerComments(api)
      registerCommunities(api)
      registerCommunityPosts(api)
      registerCorrections(api)
      registerDrafts(api)
      registerEvents(api)
      registerFavorites(api)
      registerMerges(api)
      registerMutes(api)
      registerFollows(api)
      registerGroups(api)
      registerGrowLogs(api)
      registerGuide(api)
      registerHome(api)
      registerHuntArchive(api, { databaseUrl: database.url })
      registerHunts(api, { addFirstSeeds, moveSeedStarts })
      registerInsights(api, visits)
      registerKeepers(api)
      registerKeys(api, auth)
      registerLabels(api)
      registerLive(api, {
        unreadCount: (userId) => unreadCountOf(ctx, notificationOwners, userId),
        unreadMessages: (userId) => unreadMessages(ctx.db, userId),
      })
      registerLocations(api)
      registerMedia(api, {
        open: {
          post: { is: 'public', isForEveryone: isPostMediaPublic },
          business: { is: 'portrait', isForEveryone: isBusinessPictureShown },
          person: { is: 'portrait', isForEveryone: isPortraitShown },
          gallery_item: { is: 'public', isForEveryone: isGalleryItemShown },
          review: { is: 'public', isForEveryone: isReviewShown },
        },
        byKind: {
          post: mayReadPostMedia,
          draft: mayReadDraftMedia,
          // Pictures of hidden businesses are visible only to moderators, through their case.
          business: async () => false,
          community: mayReadCommunityPicture,
          person: mayReadPortrait,
          product: mayReadProductMedia,
          claim: mayReadClaimDocument,
          license: mayReadLicenseDocument,
          log: mayReadLogPhoto,
          observation: mayReadObservedPhoto,
          message: mayReadMessageMedia,
          gallery_item: mayReadGalleryMedia,
          // Photos of a held or hidden review are visible to its author and, through its case, to moderators.
          review: async () => false,
        },
        ofCase: mayReadCaseMedia(moderation.communities),
      })
      registerMenuImports(api)
      registerMenus(api)
      registerMessages(api)
      registerModeration(api, moderation)
      registerNotifications(api, notificationOwners)
      registerOwnData(api, auth)
      registerPageExtras(api)
      registerPeople(api)
      registerPlaces(api)
      registerPlants(api, { rankGenotypes })
      registerPosts(api)
      registerPreview(api)
      registerProductSearch(api)
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
      registerWebhooks(api)
      // A process that doesn't listen has no open pages to send signals to.
      app.addHook('onListen', () => live.start())
    },
    async startJobs() {
      await queue.startWorkers(watch ? watchJobs(jobHandlers, watch) : jobHandlers, schedules, jobLanes, renamedJobs)
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
