import type { ProgramAccess } from '#server/features/accounts/index.ts'
import { eraseAccountParts } from '#server/features/accounts/profile.ts'
import { cancelPurchases, eraseAccounts } from '#server/features/billing/index.ts'
import { moderatedBusiness } from '#server/features/businesses/business.moderated.ts'
import { releaseBusiness } from '#server/features/claims/index.ts'
import { eraseClimateImports } from '#server/features/climate/climate-imports.ts'
import { sensorKeyAccess } from '#server/features/climate/sensor-keys.ts'
import { moderatedComment } from '#server/features/comments/comment.moderated.ts'
import { notifiedComments, publicComments } from '#server/features/comments/index.ts'
import { eraseComments } from '#server/features/comments/write-comment.ts'
import { communityModeration, moderatedCommunity } from '#server/features/communities/community.moderated.ts'
import { notifiedCommunities } from '#server/features/communities/index.ts'
import { eraseMemberships } from '#server/features/communities/join-community.ts'
import { notifiedCorrections } from '#server/features/corrections/index.ts'
import { eraseDrafts } from '#server/features/drafts/drafts.queries.ts'
import { notifiedDrafts } from '#server/features/drafts/index.ts'
import { moderatedEvent } from '#server/features/events/event.moderated.ts'
import { notifiedEvents } from '#server/features/events/index.ts'
import { eraseRsvps } from '#server/features/events/rsvp.ts'
import { eraseFollows } from '#server/features/follows/index.ts'
import { eraseGrowLogs } from '#server/features/grow-logs/update-grow-log.ts'
import { eraseHuntComments } from '#server/features/hunts/hunt-comments.ts'
import { moderatedHunt, moderatedHuntComment } from '#server/features/hunts/hunts.moderated.ts'
import { notifiedHunts } from '#server/features/hunts/index.ts'
import { eraseHunts } from '#server/features/hunts/write-hunts.ts'
import { notifiedConnections } from '#server/features/keys/index.ts'
import { businessKeyAccess } from '#server/features/keys/write-keys.ts'
import { eraseMedia } from '#server/features/media/remove-media.ts'
import { menuSourceAccess } from '#server/features/menu-imports/menu-source.ts'
import { moderatedProduct } from '#server/features/menus/product.moderated.ts'
import { eraseMessages } from '#server/features/messages/conversation-settings.ts'
import { moderatedMessage, notifiedConversations } from '#server/features/messages/index.ts'
import { eraseCases } from '#server/features/moderation/cases.ts'
import { type ModerationParts, notifiedDecisions } from '#server/features/moderation/index.ts'
import type { NotificationOwners } from '#server/features/notifications/index.ts'
import { eraseNotifications } from '#server/features/notifications/notifications.own-data.ts'
import { eraseExports } from '#server/features/own-data/index.ts'
import { moderatedGalleryItem } from '#server/features/page-extras/gallery-item.moderated.ts'
import { moderatedPerson } from '#server/features/people/person.moderated.ts'
import { eraseDecisions } from '#server/features/plants/make-decisions.ts'
import { notifiedPosts, publicPosts } from '#server/features/posts/index.ts'
import { moderatedPost } from '#server/features/posts/post.moderated.ts'
import { eraseLikes, erasePollVotes, erasePosts } from '#server/features/posts/posts.own-data.ts'
import { notifiedReviews, publicReviews } from '#server/features/reviews/index.ts'
import { moderatedReview } from '#server/features/reviews/review.moderated.ts'
import { eraseReviews, eraseReviewVotes } from '#server/features/reviews/write-reviews.ts'
import { eraseSubscriptions, notifiedSubscriptions } from '#server/features/subscriptions/index.ts'
import { eraseTeams } from '#server/features/team/change-team.ts'
import { eraseObservations } from '#server/features/traits/record-observations.ts'
import { notifiedLicenses } from '#server/features/verification/index.ts'
import { webhookAccess } from '#server/features/webhooks/write-webhooks.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'

export const moderation: ModerationParts = {
  subjects: {
    post: moderatedPost,
    comment: moderatedComment,
    review: moderatedReview,
    person: moderatedPerson,
    business: moderatedBusiness,
    hunt: moderatedHunt,
    hunt_comment: moderatedHuntComment,
    community: moderatedCommunity,
    message: moderatedMessage,
    event: moderatedEvent,
    gallery_item: moderatedGalleryItem,
    product: moderatedProduct,
  },
  communities: communityModeration,
}

/** Steps for deleting an account, in order: payments first, and files after everything that shows them. */
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
  eraseDrafts,
  eraseMemberships,
  eraseRsvps,
  eraseAccounts,
  eraseTeams(releaseBusiness),
  eraseHunts,
  eraseHuntComments,
  eraseGrowLogs,
  eraseObservations,
  eraseDecisions,
  eraseClimateImports,
  eraseMessages,
  eraseCases(moderation.subjects),
  eraseNotifications,
  eraseExports,
  eraseAccountParts,
  eraseMedia,
]

/** Access that ends when a person gets their account back, because an intruder may have set it up. */
export const programAccess: readonly ProgramAccess[] = [businessKeyAccess, sensorKeyAccess, webhookAccess, menuSourceAccess]

export const notificationOwners: NotificationOwners = {
  posts: { shown: notifiedPosts, public: publicPosts },
  comments: { shown: notifiedComments, public: publicComments },
  reviews: { shown: notifiedReviews, public: publicReviews },
  hunts: { shown: notifiedHunts },
  communities: { shown: notifiedCommunities },
  events: { shown: notifiedEvents },
  corrections: { shown: notifiedCorrections },
  messages: { shown: notifiedConversations },
  moderation: { shown: notifiedDecisions },
  subscriptions: { shown: notifiedSubscriptions },
  verification: { shown: notifiedLicenses },
  connections: { shown: notifiedConnections },
  drafts: { shown: notifiedDrafts },
}
