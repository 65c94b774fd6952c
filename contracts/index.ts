import * as accountStatus from './account-status.ts'
import * as accounts from './accounts.ts'
import * as admin from './admin.ts'
import * as adminAudit from './admin-audit.ts'
import * as adminJobs from './admin-jobs.ts'
import * as billing from './billing.ts'
import * as blindPanels from './blind-panels.ts'
import * as businesses from './businesses.ts'
import * as claims from './claims.ts'
import * as climate from './climate.ts'
import * as comments from './comments.ts'
import * as communities from './communities.ts'
import * as communityMembers from './community-members.ts'
import * as communityPosts from './community-posts.ts'
import * as decisions from './decisions.ts'
import * as drafts from './drafts.ts'
import type { Endpoint } from './endpoint.ts'
import * as events from './events.ts'
import * as favorites from './favorites.ts'
import * as growLogs from './grow-logs.ts'
import * as growTasks from './grow-tasks.ts'
import * as guide from './guide.ts'
import * as harvests from './harvests.ts'
import * as home from './home.ts'
import * as huntActivity from './hunt-activity.ts'
import * as huntArchive from './hunt-archive.ts'
import * as huntComments from './hunt-comments.ts'
import * as huntShares from './hunt-shares.ts'
import * as hunts from './hunts.ts'
import * as insights from './insights.ts'
import * as keepers from './keepers.ts'
import * as labResults from './lab-results.ts'
import * as locations from './locations.ts'
import * as media from './media.ts'
import * as menuImports from './menu-imports.ts'
import * as menus from './menus.ts'
import * as messages from './messages.ts'
import * as moderation from './moderation.ts'
import * as moderationLog from './moderation-log.ts'
import * as notifications from './notifications.ts'
import * as observations from './observations.ts'
import * as ownData from './own-data.ts'
import * as pageExtras from './page-extras.ts'
import * as paymentAccounts from './payment-accounts.ts'
import * as people from './people.ts'
import * as personalProfile from './personal-profile.ts'
import * as places from './places.ts'
import * as plantHistory from './plant-history.ts'
import * as plants from './plants.ts'
import * as posts from './posts.ts'
import * as publicMenu from './public-menu.ts'
import * as reports from './reports.ts'
import * as reviews from './reviews.ts'
import * as runs from './runs.ts'
import * as search from './search.ts'
import * as secondFactor from './second-factor.ts'
import * as seedLots from './seed-lots.ts'
import * as settings from './settings.ts'
import * as signIn from './sign-in.ts'
import * as strains from './strains.ts'
import * as subscriptions from './subscriptions.ts'
import * as support from './support.ts'
import * as team from './team.ts'
import * as traits from './traits.ts'
import * as verification from './verification.ts'

const modules = [
  accounts,
  admin,
  adminAudit,
  adminJobs,
  billing,
  blindPanels,
  businesses,
  claims,
  climate,
  comments,
  communityPosts,
  communities,
  communityMembers,
  decisions,
  drafts,
  events,
  favorites,
  growLogs,
  growTasks,
  guide,
  home,
  huntActivity,
  huntArchive,
  huntComments,
  huntShares,
  hunts,
  insights,
  locations,
  traits,
  observations,
  harvests,
  keepers,
  labResults,
  media,
  menuImports,
  menus,
  moderation,
  moderationLog,
  messages,
  notifications,
  ownData,
  pageExtras,
  paymentAccounts,
  personalProfile,
  people,
  places,
  plantHistory,
  plants,
  posts,
  publicMenu,
  reports,
  reviews,
  runs,
  search,
  secondFactor,
  seedLots,
  signIn,
  settings,
  accountStatus,
  strains,
  subscriptions,
  support,
  team,
  verification,
]

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value

/** Every API call, for the OpenAPI document and the contract test. The web app imports single endpoints instead. */
export const endpoints: readonly Endpoint[] = modules.flatMap((module) => Object.values(module).filter(isEndpoint))
