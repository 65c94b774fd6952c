import type { Subscribers } from '../kernel/events.ts'

/** Who listens to what: the jobs that follow from each event. */
export const subscribers: Subscribers = {
  'post.published': ['notifications.announce-post'],
  'media.fetch-failed': ['notifications.tell-of-missing-picture'],
  'post.liked': ['notifications.tell-of-like'],
  'comment.written': ['notifications.tell-of-comment'],
  'hunt.shared': ['notifications.tell-of-hunt-share'],
  'hunt.commented': ['notifications.tell-of-hunt-comment'],
  'menu.product-added': ['notifications.tell-of-new-product'],
  'menu.product-changed': ['notifications.tell-of-changed-product'],
  'person.followed': ['notifications.tell-of-follow'],
  'business.subscribed': ['notifications.tell-of-subscriber'],
  'business.unsubscribed': ['billing.end-payments'],
  'review.written': ['notifications.tell-of-review'],
  'review.replied': ['notifications.tell-of-review-reply'],
  'license.changed': ['notifications.tell-of-license', 'verification.mail-change'],
  'community.requested': ['notifications.tell-of-community-request'],
  'community.joined': ['notifications.tell-of-community-join'],
  'community.invited': ['notifications.tell-of-community-invitation'],
  'answer.accepted': ['notifications.tell-of-accepted-answer'],
  'message.sent': ['notifications.tell-of-message'],
  'moderation.acted': ['notifications.tell-of-moderation'],
  'appeal.decided': ['notifications.tell-of-appeal'],
  'review.helped': ['notifications.tell-of-helpful'],
}
