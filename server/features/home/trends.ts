/** What people do that makes a business trend. */
export type Engagement = 'like' | 'comment' | 'follow' | 'favorite' | 'review'

/**
 * How much each weighs on the day it happens: the more effort it takes, the more it says. Subscriptions are left out by design, and
 * so are the follows that come with them: they may cost money, and money buys nobody a place. No plan, badge or payment enters here.
 */
export const trendWeights: Record<Engagement, number> = { like: 1, favorite: 2, follow: 3, comment: 3, review: 5 }

/** After so many days it counts half; after `windowDays` not at all. */
export const halfLifeDays = 3
export const windowDays = 14

/** More than the three that are shown, because a viewer does not see those that they have blocked. */
export const keptTrends = 100

/** Older figures are not shown: what they say of "this week" would not be true any more. */
export const staleAfterHours = 24

/** Of people: one follows, favors and reviews a business once, but may like and comment on many of its posts. */
const deeds: Record<Engagement, [one: string, many: string]> = {
  like: ['person liked its posts', 'people liked its posts'],
  comment: ['person commented on its posts', 'people commented on its posts'],
  follow: ['new follower', 'new followers'],
  favorite: ['new favorite', 'new favorites'],
  review: ['new review', 'new reviews'],
}

/** What a score is made of mostly: "12 people liked its posts this week", or in two weeks where this one had none. `counts` are people. */
export function trendReason(kind: Engagement, counts: { thisWeek: number; inWindow: number }): string {
  const count = counts.thisWeek || counts.inWindow
  const [one, many] = deeds[kind]
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many} ${counts.thisWeek > 0 ? 'this week' : 'in two weeks'}`
}
