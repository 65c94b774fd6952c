import * as accounts from './accounts.ts'
import * as businesses from './businesses.ts'
import * as comments from './comments.ts'
import type { Endpoint } from './endpoint.ts'
import * as favorites from './favorites.ts'
import * as home from './home.ts'
import * as media from './media.ts'
import * as menus from './menus.ts'
import * as notifications from './notifications.ts'
import * as people from './people.ts'
import * as places from './places.ts'
import * as posts from './posts.ts'
import * as reports from './reports.ts'
import * as reviews from './reviews.ts'
import * as subscriptions from './subscriptions.ts'

const modules = [
  accounts,
  businesses,
  comments,
  favorites,
  home,
  media,
  menus,
  notifications,
  people,
  places,
  posts,
  reports,
  reviews,
  subscriptions,
]

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value

/** Every call of the API, for the OpenAPI document and the contract test. The web app imports single endpoints instead. */
export const endpoints: readonly Endpoint[] = modules.flatMap((module) => Object.values(module).filter(isEndpoint))
