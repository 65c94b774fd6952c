import './moderation.events.ts'

export { inQueueOf, type NotifiedDecision, notifiedDecisions } from './cases.queries.ts'
export { moderationJobs, moderationSchedules } from './moderation.jobs.ts'
export { registerModeration } from './moderation.routes.ts'
export { flagForReview, holdForReview, openReportCase } from './open-case.ts'
export { mayReadCaseMedia } from './read-cases.ts'
export type { CommunityModeration, ModerationParts } from './subjects.ts'
