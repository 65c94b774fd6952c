import { accountNavigations } from '../features/accounts/index.ts'
import { liveRoutes } from '../features/live/index.ts'
import { unsubscribeRoutes } from '../features/notifications/index.ts'

/** Routes under /api that are no declared calls: browser navigations, the live stream, leaving by a mail's link, and the API's own description. */
export const plainRoutes: readonly string[] = [...accountNavigations, ...liveRoutes, ...unsubscribeRoutes, 'GET /api/openapi.json']
