import { wordsOf } from '#server/kernel/search-words.ts'

/**
 * Ranks documents that match equally well, by logarithms of activity so that large ones don't dominate. Plans, badges and payments play no
 * part.
 */

/** How likely each kind is what people look for when they type a name. */
const ofKind = { business: 3, strain: 2.6, community: 2.5, product: 2, person: 1.5, post: 1 } as const

const rounded = (quality: number) => Math.round(quality * 100) / 100

/** Ranks "Blue Dream" before "White OG / Blue Dream". */
export const withBrevity = (quality: number, title: string): number => rounded(quality - 0.05 * Math.min(wordsOf(title).length, 8))

const logOf = (count: number) => Math.log1p(count)

/** `score` and `trust` as in lists: see server/features/businesses/search.queries.ts. Trust only breaks ties. */
export const businessQuality = (business: { subscribers: number; ratings: number; score: number; trust: number }): number =>
  rounded(
    ofKind.business +
      0.2 * logOf(business.subscribers) +
      0.1 * logOf(business.ratings) +
      0.3 * (business.score - 3.5) +
      0.01 * business.trust,
  )

export const productQuality = (product: { isAvailable: boolean; subscribers: number }): number =>
  rounded(ofKind.product + (product.isAvailable ? 0.3 : 0) + 0.1 * logOf(product.subscribers))

export const personQuality = (person: { followers: number }): number => rounded(ofKind.person + 0.3 * logOf(person.followers))

/** `isVerified` is granted by an admin and can't be bought. */
export const communityQuality = (community: { members: number; isVerified: boolean }): number =>
  rounded(ofKind.community + 0.3 * logOf(community.members) + (community.isVerified ? 0.3 : 0))

export const strainQuality = ofKind.strain

const day = 86_400_000
/** In steps, so that the nightly pass rewrites a post only a few times in its life. */
const freshness = [
  [1, 1.2],
  [7, 0.9],
  [30, 0.6],
  [90, 0.4],
  [365, 0.2],
] as const

export function postQuality(post: { likes: number; comments: number; createdAt: Date }, now: Date): number {
  const days = (now.getTime() - post.createdAt.getTime()) / day
  const fresh = freshness.find(([max]) => days <= max)?.[1] ?? 0
  return rounded(ofKind.post + 0.3 * logOf(post.likes + 2 * post.comments) + fresh)
}
