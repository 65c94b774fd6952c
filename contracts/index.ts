import * as accounts from './accounts.ts'
import * as billing from './billing.ts'
import * as businesses from './businesses.ts'
import * as claims from './claims.ts'
import * as comments from './comments.ts'
import * as drafts from './drafts.ts'
import type { Endpoint } from './endpoint.ts'
import * as favorites from './favorites.ts'
import * as home from './home.ts'
import * as insights from './insights.ts'
import * as locations from './locations.ts'
import * as media from './media.ts'
import * as menuImports from './menu-imports.ts'
import * as menus from './menus.ts'
import * as notifications from './notifications.ts'
import * as people from './people.ts'
import * as places from './places.ts'
import * as posts from './posts.ts'
import * as publicMenu from './public-menu.ts'
import * as reports from './reports.ts'
import * as reviews from './reviews.ts'
import * as subscriptions from './subscriptions.ts'
import * as team from './team.ts'
import * as verification from './verification.ts'

const modules = [
  accounts,
  billing,
  businesses,
  claims,
  comments,
  drafts,
  favorites,
  home,
  insights,
  locations,
  media,
  menuImports,
  menus,
  notifications,
  people,
  places,
  posts,
  publicMenu,
  reports,
  reviews,
  subscriptions,
  team,
  verification,
]

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value

/** Every call of the API, for the OpenAPI document and the contract test. The web app imports single endpoints instead. */
export const endpoints: readonly Endpoint[] = modules.flatMap((module) => Object.values(module).filter(isEndpoint))
