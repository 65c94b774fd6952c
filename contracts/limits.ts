/** Limits that the server and the web app share. Contains no schemas, because the web app's first loads include this file. */

/** Entries per page of every list. */
export const maxPageSize = 100

// Accounts and personal data
export const maxPasskeys = 20
export const maxPersonKeys = 10
/** How long exports are stored, and how long an account pending deletion can be restored. */
export const exportDays = 7
export const graceDays = 14
/** Text to type as a confirmation. */
export const deletionWords = 'delete my account'

// Search and the guide; lengths of a query
export const maxSearchLength = 120
export const maxQuestionLength = 300

// Businesses
/** How far around a person's city Discover begins. */
export const homeRadiusMiles = 50
/** The largest radius of a search for menu items. */
export const maxProductMiles = 100
/** With fewer results around a place, Discover looks farther. */
export const enoughNearby = 10
export const mailedCodeMinutes = 15
/** Number of different people required for a manual approval. */
export const approvalsNeeded = 2
/** With more matches in an area, the response contains counted cells instead of pins. */
export const maxPins = 5000
export const maxGalleryVideos = 1
export const maxVisitsPerRequest = 50
/** Smaller groups of people aren't shown separately. */
export const smallestGroup = 5
/** Support response times in business days, stated on the contact page and in the reply. */
export const supportAnswerDays = { priority: 1, usual: 3 } as const

// Menus
/** Weights or packs of one item. */
export const maxVariants = 50
/** Pieces on hand at which shoppers see "Only a few left". */
export const fewLeft = 5
/** Businesses that one account can own, and so join into a group. */
export const maxGroupSize = 20
export const maxBulkChanges = 500
export const maxMenuFileBytes = 10 * 1024 * 1024
/** Items of a menu, and rows of a file. */
export const maxMenuRows = 20_000
/** Sizes of a menu, and prices of a file. */
export const maxMenuVariants = 40_000
/** Items per call of a point of sale, and those that are answered at once; more become a job. */
export const maxSyncItems = 20_000
export const maxSyncItemsAtOnce = 500
/** Active API keys of a business. */
export const maxKeys = 20
export const maxKeyDays = 730
/** Webhooks per business. */
export const maxWebhooks = 10

// Posts and events
/** Maximum drafts per business, and per person. */
export const maxDrafts = 100
/** Minimum total reactions to suggest times, and minimum people in an hour to show that hour. */
export const minReactions = 20
export const reactionDays = 90
export const maxEventCapacity = 100_000

/** Per review; a database constraint, too. */
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
/** Records per response: 200 plants × 40 traits, several times over. */
export const maxTraitRecords = 50_000
export const maxLabResultsAtOnce = 500
export const maxPhotosOfLog = 10
export const maxLogsAtOnce = 200
/** Readings per call; longer files are sent in several calls. */
export const maxReadingsAtOnce = 20_000
/** Readings per file and per hunt. */
export const maxReadingsOfFile = 200_000
export const maxClimatePoints = 2000
export const maxArchiveBytes = 32 * 1024 * 1024

/** Mentions in one post or comment. */
export const maxMentions = 10
