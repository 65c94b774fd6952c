/** Limits shared by the server and the web app. Keep this file free of schemas: the web app's first loads include it. */

export const maxPageSize = 100

// Accounts and personal data
export const maxPasskeys = 20
export const maxPersonKeys = 10
/** Exports are stored for `exportDays`. An account pending deletion can be restored for `graceDays`. */
export const exportDays = 7
export const graceDays = 14
export const deletionPhrase = 'delete my account'

// Search and the guide (query lengths)
export const maxSearchLength = 120
export const maxQuestionLength = 300

// Businesses
/** The radius around a place on Discover, Home, the list of events and other screens. */
export const homeRadiusMiles = 50
export const maxProductMiles = 100
/** Below this many results around a place, Discover searches farther. */
export const minNearbyResults = 10
export const mailedCodeMinutes = 15
/** Different people required for a manual approval. */
export const approvalsNeeded = 2
/** Above this many matches in an area, the response contains counted cells instead of pins. */
export const maxPins = 5000
export const maxGalleryVideos = 1
export const maxVisitsPerRequest = 50
/** Smaller groups of people aren't shown separately. */
export const smallestGroup = 5
/** In business days, as stated on the contact page and in the automatic reply. */
export const supportAnswerDays = { priority: 1, usual: 3 } as const

// Menus
/** Per item. */
export const maxVariants = 50
export const lowStockThreshold = 5
/** Businesses that one account can own, and therefore combine into a group. */
export const maxGroupSize = 20
export const maxBulkChanges = 500
export const maxMenuFileBytes = 10 * 1024 * 1024
/** Items per menu, and rows per file. */
export const maxMenuRows = 20_000
/** Prices per menu file. Each becomes a variant. */
export const maxMenuVariants = 40_000
/** Items per call from a point of sale. Calls with more than `maxSyncItemsAtOnce` become a job. */
export const maxSyncItems = 20_000
export const maxSyncItemsAtOnce = 500
/** Keys per business that aren't revoked. */
export const maxKeys = 20
export const maxKeyDays = 730
/** Per business. */
export const maxWebhooks = 10
/** The maximum age of a price in a menu feed, and how long a link that was reset may still work. */
export const feedCacheMinutes = 5

// Posts and events
/** Per business, and per person. */
export const maxDrafts = 100
/** The dashboard suggests posting times after this many reactions in `reactionDays` days. */
export const minReactions = 20
export const reactionDays = 90
export const maxEventCapacity = 100_000

/** Per review; also a database constraint. */
export const maxReviewPhotos = 4

// Communities
export const maxCommunityRules = 15
export const maxJoinRequestLength = 500
export const maxInvitationDays = 30
export const pollLimits = { minOptions: 2, maxOptions: 10, maxDays: 30, optionLength: 80 }

// Hunts
/** Seeds, clones or plants per call. */
export const maxPlantsAtOnce = 1000
export const maxBenchSide = 100
export const maxTraitOptions = 40
export const maxObservationsAtOnce = 500
/** Per response: 200 plants × 40 traits, several times over. */
export const maxTraitRecords = 50_000
export const maxLabResultsAtOnce = 500
export const maxPhotosOfLog = 10
export const maxLogsAtOnce = 200
export const maxHarvestsAtOnce = 200
/** Per call; longer files take several calls. */
export const maxReadingsAtOnce = 20_000
/** Per `POST /api/sensor-readings`. */
export const maxSentReadings = 500
/** Per file, or per room and month if sent by a sensor. */
export const maxReadingsOfFile = 200_000
export const maxReadingsOfHunt = 1_000_000
export const maxClimatePoints = 2000
export const maxArchiveBytes = 32 * 1024 * 1024
/** Total rows in an exported hunt, without its photos. */
export const maxArchiveRows = 200_000
/** Photos in an exported hunt, in addition to its rows. */
export const maxArchivePhotos = 20_000
export const maxCertificateBytes = 10 * 1024 * 1024

/** Per post or comment. */
export const maxMentions = 10
