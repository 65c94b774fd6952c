export { billingJobs, billingSchedules } from './billing.jobs.ts'
export { cancelPurchases } from './billing.own-data.ts'
export { billingRoutes, registerBilling } from './billing.routes.ts'
export { asksPrice, businessEntitlements, hasPlanWith, hasPrioritySupport } from './entitlements.ts'
