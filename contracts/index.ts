import * as accounts from './accounts.endpoints.ts'
import * as admin from './admin.endpoints.ts'
import * as archivePhotos from './archive-photos.endpoints.ts'
import * as billing from './billing.endpoints.ts'
import * as blindPanels from './blind-panels.endpoints.ts'
import * as businesses from './businesses.endpoints.ts'
import * as certificates from './certificates.endpoints.ts'
import * as claims from './claims.endpoints.ts'
import * as climate from './climate.endpoints.ts'
import * as comments from './comments.endpoints.ts'
import * as communities from './communities.endpoints.ts'
import * as communityMembers from './community-members.endpoints.ts'
import * as communityPosts from './community-posts.endpoints.ts'
import * as corrections from './corrections.endpoints.ts'
import * as drafts from './drafts.endpoints.ts'
import type { Endpoint } from './endpoint.ts'
import * as events from './events.endpoints.ts'
import * as favorites from './favorites.endpoints.ts'
import * as groups from './groups.endpoints.ts'
import * as growLogs from './grow-logs.endpoints.ts'
import * as growTasks from './grow-tasks.endpoints.ts'
import * as guide from './guide.endpoints.ts'
import * as home from './home.endpoints.ts'
import * as huntArchive from './hunt-archive.endpoints.ts'
import * as hunts from './hunts.endpoints.ts'
import * as insights from './insights.endpoints.ts'
import * as integrations from './integrations.endpoints.ts'
import * as keepers from './keepers.endpoints.ts'
import * as keys from './keys.endpoints.ts'
import * as locations from './locations.endpoints.ts'
import * as media from './media.endpoints.ts'
import * as menuImports from './menu-imports.endpoints.ts'
import * as menus from './menus.endpoints.ts'
import * as merges from './merges.endpoints.ts'
import * as messages from './messages.endpoints.ts'
import * as moderation from './moderation.endpoints.ts'
import * as notifications from './notifications.endpoints.ts'
import * as observations from './observations.endpoints.ts'
import * as ownData from './own-data.endpoints.ts'
import * as pageExtras from './page-extras.endpoints.ts'
import * as people from './people.endpoints.ts'
import * as plantHistory from './plant-history.endpoints.ts'
import * as plants from './plants.endpoints.ts'
import * as posts from './posts.endpoints.ts'
import * as productSearch from './product-search.endpoints.ts'
import * as publicMenu from './public-menu.endpoints.ts'
import * as reviews from './reviews.endpoints.ts'
import * as runs from './runs.endpoints.ts'
import * as search from './search.endpoints.ts'
import * as seedLots from './seed-lots.endpoints.ts'
import * as signIn from './sign-in.endpoints.ts'
import * as support from './support.endpoints.ts'
import * as team from './team.endpoints.ts'
import * as traits from './traits.endpoints.ts'
import * as verification from './verification.endpoints.ts'
import * as webhooks from './webhooks.endpoints.ts'

const modules = [
  accounts,
  admin,
  archivePhotos,
  billing,
  blindPanels,
  businesses,
  certificates,
  claims,
  climate,
  comments,
  communityPosts,
  communities,
  communityMembers,
  corrections,
  drafts,
  events,
  favorites,
  groups,
  growLogs,
  growTasks,
  guide,
  home,
  huntArchive,
  hunts,
  insights,
  integrations,
  locations,
  traits,
  observations,
  keepers,
  keys,
  media,
  menuImports,
  menus,
  moderation,
  merges,
  messages,
  notifications,
  ownData,
  pageExtras,
  people,
  plantHistory,
  plants,
  posts,
  productSearch,
  publicMenu,
  reviews,
  runs,
  search,
  seedLots,
  signIn,
  support,
  team,
  verification,
  webhooks,
]

export const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value

/** Every API call, for the OpenAPI document and tests. The web app imports `contracts/calls` instead. */
export const endpoints: readonly Endpoint[] = modules.flatMap((module) => Object.values(module).filter(isEndpoint))
