import { accountNavigations } from '../features/accounts/index.ts'

/** Routes under /api that are no declared calls: browser navigations and the API's own description. */
export const plainRoutes: readonly string[] = [...accountNavigations, 'GET /api/openapi.json']
