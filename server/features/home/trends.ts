export type Engagement = 'like' | 'comment' | 'follow' | 'favorite' | 'review'

/**
 * Weight of each action on the day it happens: more effort weighs more. Subscriptions and the follows they imply are excluded
 * by design: they may cost money, and money must not buy rank. No plan, badge or payment counts either.
 */
export const trendWeights: Record<Engagement, number> = { like: 1, favorite: 2, follow: 3, comment: 3, review: 5 }

/** Days until an action counts half; after `windowDays` it doesn't count. */
export const halfLifeDays = 3
export const windowDays = 14

/** More than the three that are shown, because viewers don't see businesses they have blocked. */
export const maxTrends = 100

/** Older trends are hidden, because "this week" would be wrong. */
export const staleAfterHours = 24

/** Counted in people: a person follows, favorites and reviews a business once, but may like and comment on many of its posts. */
const engagementTexts: Record<Engagement, [one: string, many: string]> = {
  like: ['person liked its posts', 'people liked its posts'],
  comment: ['person commented on its posts', 'people commented on its posts'],
  follow: ['new follower', 'new followers'],
  favorite: ['new favorite', 'new favorites'],
  review: ['new review', 'new reviews'],
}

/** Main reason for a score: "12 people liked its posts this week", or in two weeks if there were none this week. */
export function trendReason(kind: Engagement, counts: { thisWeek: number; inWindow: number }): string {
  const count = counts.thisWeek || counts.inWindow
  const [one, many] = engagementTexts[kind]
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many} ${counts.thisWeek > 0 ? 'this week' : 'in two weeks'}`
}
