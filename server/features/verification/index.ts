export { endTeamRequests } from './end-team-requests.ts'
export { mayReadLicenseDocument } from './media-access.ts'
export { verificationJobs, verificationSchedules } from './verification.jobs.ts'
export { registerVerification } from './verification.routes.ts'
