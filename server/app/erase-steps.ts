import { eraseAccountParts } from '#server/features/accounts/accounts.own-data.ts'
import { cancelPurchases } from '#server/features/billing/index.ts'
import { releaseListings } from '#server/features/businesses/businesses.own-data.ts'
import { eraseClimateImports } from '#server/features/climate/climate.own-data.ts'
import { eraseComments } from '#server/features/comments/comments.own-data.ts'
import { eraseMemberships } from '#server/features/communities/communities.own-data.ts'
import { eraseRsvps } from '#server/features/events/events.own-data.ts'
import { eraseFollows } from '#server/features/follows/follows.own-data.ts'
import { eraseGrowLogs } from '#server/features/grow-logs/grow-logs.own-data.ts'
import { eraseHuntComments, eraseHunts } from '#server/features/hunts/hunts.own-data.ts'
import { eraseMedia } from '#server/features/media/media.own-data.ts'
import { eraseMessages } from '#server/features/messages/messages.own-data.ts'
import { eraseCases } from '#server/features/moderation/moderation.own-data.ts'
import { eraseNews } from '#server/features/notifications/notifications.own-data.ts'
import { eraseExports } from '#server/features/own-data/index.ts'
import { eraseDecisions } from '#server/features/plants/decisions.own-data.ts'
import { eraseLikes, erasePollVotes, erasePosts } from '#server/features/posts/posts.own-data.ts'
import { eraseReviews, eraseReviewVotes } from '#server/features/reviews/reviews.own-data.ts'
import { eraseSubscriptions } from '#server/features/subscriptions/subscriptions.own-data.ts'
import { eraseTeams } from '#server/features/team/team.own-data.ts'
import { eraseObservations } from '#server/features/traits/observations.own-data.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'

/** Steps for deleting an account, in this order: payments first, files after everything that shows them. */
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
