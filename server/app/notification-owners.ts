import { notifiedComments } from '#server/features/comments/index.ts'
import { notifiedCommunities } from '#server/features/communities/index.ts'
import { notifiedEvents } from '#server/features/events/index.ts'
import { notifiedHunts } from '#server/features/hunts/index.ts'
import { notifiedConversations } from '#server/features/messages/index.ts'
import { notifiedDecisions } from '#server/features/moderation/index.ts'
import type { NotificationOwners } from '#server/features/notifications/index.ts'
import { notifiedPosts } from '#server/features/posts/index.ts'
import { notifiedReviews } from '#server/features/reviews/index.ts'
import { notifiedSubscriptions } from '#server/features/subscriptions/index.ts'
import { notifiedLicenses } from '#server/features/verification/index.ts'

/** The features that decide what notifications may show. */
export const notificationOwners: NotificationOwners = {
  posts: notifiedPosts,
  comments: notifiedComments,
  reviews: notifiedReviews,
  hunts: notifiedHunts,
  communities: notifiedCommunities,
  events: notifiedEvents,
  messages: notifiedConversations,
  moderation: notifiedDecisions,
  subscriptions: notifiedSubscriptions,
  verification: notifiedLicenses,
}
