import { eraseAccountParts } from '../features/accounts/accounts.own-data.ts'
import { cancelPurchases } from '../features/billing/index.ts'
import { releaseListings } from '../features/businesses/businesses.own-data.ts'
import { eraseClimateImports } from '../features/climate/climate.own-data.ts'
import { eraseComments } from '../features/comments/comments.own-data.ts'
import { eraseMemberships } from '../features/communities/communities.own-data.ts'
import { eraseRsvps } from '../features/events/events.own-data.ts'
import { eraseFollows } from '../features/follows/follows.own-data.ts'
import { eraseGrowLogs } from '../features/grow-logs/grow-logs.own-data.ts'
import { eraseHuntComments, eraseHunts } from '../features/hunts/hunts.own-data.ts'
import { eraseMedia } from '../features/media/media.own-data.ts'
import { eraseMessages } from '../features/messages/messages.own-data.ts'
import { eraseCases } from '../features/moderation/moderation.own-data.ts'
import { eraseNews } from '../features/notifications/notifications.own-data.ts'
import { eraseExports } from '../features/own-data/index.ts'
import { eraseDecisions } from '../features/plants/decisions.own-data.ts'
import { eraseLikes, erasePollVotes, erasePosts } from '../features/posts/posts.own-data.ts'
import { eraseReviews, eraseReviewVotes } from '../features/reviews/reviews.own-data.ts'
import { eraseSubscriptions } from '../features/subscriptions/subscriptions.own-data.ts'
import { eraseTeams } from '../features/team/team.own-data.ts'
import { eraseObservations } from '../features/traits/observations.own-data.ts'
import type { EraseStep } from '../kernel/own-data.ts'

/** What every feature does when an account is deleted, in this order: what is paid first, files after all that shows them. */
export const eraseSteps: readonly EraseStep[] = [
  cancelPurchases,
  eraseSubscriptions,
  eraseFollows,
  eraseReviews,
  eraseReviewVotes,
  eraseLikes,
  erasePollVotes,
  eraseComments,
  erasePosts,
  eraseMemberships,
  eraseRsvps,
  releaseListings,
  eraseTeams,
  eraseHunts,
  eraseHuntComments,
  eraseGrowLogs,
  eraseObservations,
  eraseDecisions,
  eraseClimateImports,
  eraseMessages,
  eraseCases,
  eraseNews,
  eraseExports,
  eraseAccountParts,
  eraseMedia,
]
