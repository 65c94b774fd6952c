export { unreadCount } from './list-notifications.ts'
export { notificationJobs, notificationSchedules } from './notifications.jobs.ts'
export { registerNotifications } from './notifications.routes.ts'
export { unsubscribeRoutes } from './unsubscribe.ts'
