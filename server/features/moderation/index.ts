import './moderation.events.ts'

export { mayReadCaseMedia } from './case-media.ts'
export { inQueueOf } from './cases.queries.ts'
export { moderationJobs, moderationSchedules } from './moderation.jobs.ts'
export { registerModeration } from './moderation.routes.ts'
export { flagForReview, holdForReview, openReportCase } from './open-case.ts'
export type { CommunityModeration, ModerationParts } from './ports.ts'
export type { ModeratedSubject, ModerationState, SubjectPreview } from './subjects.ts'
