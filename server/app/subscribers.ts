import type { Subscribers } from '../kernel/events.ts'

/** Who listens to what: the jobs that follow from each event. */
export const subscribers: Subscribers = {
  'post.published': ['notifications.announce-post'],
  'post.liked': ['notifications.tell-of-like'],
  'comment.written': ['notifications.tell-of-comment'],
  'person.followed': ['notifications.tell-of-follow'],
  'business.subscribed': ['notifications.tell-of-subscriber'],
  'review.written': ['notifications.tell-of-review'],
  'review.replied': ['notifications.tell-of-review-reply'],
  'review.helped': ['notifications.tell-of-helpful'],
}
