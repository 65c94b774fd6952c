export { claimJobs } from './claims.jobs.ts'
export { isStillAsked } from './claims.queries.ts'
export { registerClaims } from './claims.routes.ts'
export { mayReadClaimDocument } from './media-access.ts'
