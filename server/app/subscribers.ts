import type { Subscribers } from '../kernel/events.ts'

/** Who listens to what: the jobs that follow from each event. */
export const subscribers: Subscribers = {
  'post.published': ['notifications.announce-post'],
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
  'review.helped': ['notifications.tell-of-helpful'],
}
