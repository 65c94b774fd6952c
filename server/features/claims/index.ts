export { claimJobs } from './claims.jobs.ts'
export { registerClaims } from './claims.routes.ts'
export { mayReadClaimDocument } from './media-access.ts'
