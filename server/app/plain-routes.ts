import { accountNavigations } from '../features/accounts/index.ts'
import { billingRoutes } from '../features/billing/index.ts'
import { panelFileRoutes } from '../features/blind-panels/index.ts'
import { climateFileRoutes } from '../features/climate/index.ts'
import { eventRoutes } from '../features/events/index.ts'
import { huntArchiveRoutes } from '../features/hunt-archive/index.ts'
import { insightRoutes } from '../features/insights/index.ts'
import { labelRoutes } from '../features/labels/index.ts'
import { liveRoutes } from '../features/live/index.ts'
import { menuExportRoutes } from '../features/menu-imports/index.ts'
import { unsubscribeRoutes } from '../features/notifications/index.ts'
import { ownDataRoutes } from '../features/own-data/index.ts'

/** Routes under /api that are no declared calls: browser navigations, the live stream, leaving by a mail's link, and the API's own description. */
export const plainRoutes: readonly string[] = [
  ...accountNavigations,
  ...billingRoutes,
  ...climateFileRoutes,
  ...eventRoutes,
  ...huntArchiveRoutes,
  ...ownDataRoutes,
  ...insightRoutes,
  ...labelRoutes,
  ...liveRoutes,
  ...menuExportRoutes,
  ...panelFileRoutes,
  ...unsubscribeRoutes,
  'GET /api/openapi.json',
]
