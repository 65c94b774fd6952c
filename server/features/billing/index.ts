export { billingJobs, billingSchedules } from './billing.jobs.ts'
export { billingRoutes, registerBilling } from './billing.routes.ts'
export { businessEntitlements, personEntitlements } from './entitlements.ts'
