import { below, longTail, popularRank, type Random, randomAt, rankAt } from './random.ts'

/**
 * Who follows whom, who posts what and who replies, as pure functions of a number. Every value can be recomputed, so counters
 * are known before the rows are, and no rows are stored in memory.
 *
 * People, businesses and posts are numbered from 0. The measured person has the number after the last one.
 */
export type Shape = {
  seed: number
  posts: number
  people: number
  businesses: number
  /** End of the two years that contain all posts. */
  until: Date
}

export const daysMs = (days: number): number => days * 86_400_000
export const spanMs = daysMs(730)

/** What the measured person follows at every size. */
export const followedByMeasured = { businesses: 200, people: 50 }
export const followersOfMeasured = 30
const postsOfMeasured = 20

/** People and businesses scale with the posts, but there are always enough for the measured person. */
export const shapeOf = (posts: number, until: Date, seed = 1): Shape => ({
  seed,
  posts,
  people: within(posts / 10, 500, 1_000_000),
  businesses: within(posts / 20, 250, 200_000),
  until,
})

const within = (value: number, min: number, max: number) => Math.round(Math.min(max, Math.max(min, value)))

const streams = { post: 1, likes: 2, comments: 3, follows: 4, reviews: 5, details: 6, notifications: 7 } as const

export const randomOf = (shape: Shape, stream: keyof typeof streams, index: number): Random => randomAt(shape.seed, streams[stream], index)

export const measuredPerson = (shape: Shape): number => shape.people

/** Everyone joined in the year before the first post, in the order of their numbers. */
export const joinedAt = ({ people, until }: Shape, person: number): Date =>
  new Date(until.getTime() - spanMs - daysMs(365) * (1 - Math.min(person, people - 1) / people))

export const openedAt = ({ businesses, until }: Shape, business: number): Date =>
  new Date(until.getTime() - spanMs - daysMs(300) * (1 - business / businesses))

export const ownerOf = (shape: Shape, business: number): number => business % shape.people

export type PostFacts = {
  index: number
  /** Null for a post under its author's own name. */
  business: number | null
  author: number
  type: 'update' | 'promotion' | 'educational' | 'product'
  isExclusive: boolean
  at: Date
}

/** Seven in ten posts are by businesses. */
export function postAt(shape: Shape, index: number): PostFacts {
  const random = randomOf(shape, 'post', index)
  const at = new Date(shape.until.getTime() - spanMs + Math.floor(((index + random()) / shape.posts) * spanMs))
  const every = Math.floor(shape.posts / postsOfMeasured)
  if (index % every === every >> 1) return { index, business: null, author: measuredPerson(shape), type: 'update', isExclusive: false, at }
  if (random() < 0.3) {
    const type = random() < 0.75 ? 'update' : 'educational'
    return { index, business: null, author: popularRank(random, shape.people), type, isExclusive: false, at }
  }
  const business = popularRank(random, shape.businesses)
  const kind = random()
  const type = kind < 0.5 ? 'update' : kind < 0.7 ? 'educational' : kind < 0.85 ? 'promotion' : 'product'
  return { index, business, author: ownerOf(shape, business), type, isExclusive: random() < 0.1, at }
}

/** People other than the author who like a post: mostly none to three, rarely hundreds. Exclusive posts have none. */
export function likersOf(shape: Shape, post: PostFacts): number[] {
  if (post.isExclusive) return []
  const random = randomOf(shape, 'likes', post.index)
  return distinct(shape, random, longTail(random, 2, Math.min(2000, shape.people >> 2)), post.author)
}

export type CommentFacts = { number: number; parent: number | null; author: number; business: number | null; at: Date }

/** In chronological order. Three in ten reply to an earlier comment; occasionally the business itself replies. */
export function commentsOf(shape: Shape, post: PostFacts): CommentFacts[] {
  if (post.isExclusive) return []
  const random = randomOf(shape, 'comments', post.index)
  const count = longTail(random, 0.6, 60)
  const tops: number[] = []
  return Array.from({ length: count }, (_, number) => {
    const parent = tops.length > 0 && random() < 0.3 ? (tops[below(random, tops.length)] as number) : null
    if (parent === null) tops.push(number)
    const isOfBusiness = post.business !== null && random() < 0.1
    return {
      number,
      parent,
      author: isOfBusiness ? post.author : below(random, shape.people),
      business: isOfBusiness ? post.business : null,
      at: reactionTime(shape, post, number),
    }
  })
}

/** Early reactions come quickly and later ones slowly, none of them after `until`. */
export const reactionTime = ({ until }: Shape, post: PostFacts, number: number): Date =>
  new Date(Math.min(until.getTime(), post.at.getTime() + (number + 1) ** 2 * 90_000))

export type Follows = {
  /** Business → kind of relation. */
  businesses: Map<number, 'follow' | 'subscription' | 'both'>
  people: number[]
}

/** What a person follows: a dozen businesses and half a dozen people, weighted by popularity; a few people follow hundreds. */
export function followsOf(shape: Shape, person: number): Follows {
  const random = randomOf(shape, 'follows', person)
  const businesses: Follows['businesses'] = new Map()
  const people = new Set<number>()
  if (person === measuredPerson(shape)) {
    // Evenly spaced over the popularity distribution: as varied as anyone's follows, and the same at every size.
    for (let i = 0; businesses.size < followedByMeasured.businesses; i++)
      businesses.set(
        nextFree(businesses, rankAt((i + 0.5) / followedByMeasured.businesses, shape.businesses)),
        i % 20 === 0 ? 'subscription' : 'follow',
      )
    for (let i = 0; people.size < followedByMeasured.people; i++)
      people.add(nextFree(people, rankAt((i + 0.5) / followedByMeasured.people, shape.people)))
    return { businesses, people: [...people] }
  }
  for (let i = longTail(random, 12, Math.min(500, shape.businesses >> 1)); i > 0; i--) {
    const kind = random()
    businesses.set(popularRank(random, shape.businesses), kind < 0.12 ? 'subscription' : kind < 0.15 ? 'both' : 'follow')
  }
  for (let i = longTail(random, 6, Math.min(300, shape.people >> 1)); i > 0; i--) people.add(popularRank(random, shape.people))
  people.delete(person)
  if (person < followersOfMeasured) people.add(measuredPerson(shape))
  return { businesses, people: [...people] }
}

function nextFree(taken: { has(number: number): boolean }, number: number): number {
  let free = number
  while (taken.has(free)) free++
  return free
}

export type ReviewFacts = {
  person: number
  rating: 1 | 2 | 3 | 4 | 5
  helpedBy: number[]
  hasWords: boolean
  isFreebie: boolean
  hasReply: boolean
}

const ratings = [5, 5, 5, 5, 5, 4, 4, 4, 3, 2, 1] as const

export function reviewsOf(shape: Shape, business: number): ReviewFacts[] {
  const random = randomOf(shape, 'reviews', business)
  const count = longTail(random, 4, Math.min(500, shape.people >> 2))
  const owner = ownerOf(shape, business)
  return distinct(shape, random, count, owner).map((person) => ({
    person,
    rating: ratings[below(random, ratings.length)] as ReviewFacts['rating'],
    helpedBy: distinct(shape, random, longTail(random, 0.5, 20), person),
    hasWords: random() < 0.8,
    isFreebie: random() < 0.02,
    hasReply: random() < 0.2,
  }))
}

/** A prime larger than the number of people: stepping by it reaches everyone once before repeating. */
const stride = 1_000_003

function distinct({ people }: Shape, random: Random, count: number, except: number): number[] {
  const first = below(random, people)
  return Array.from({ length: count }, (_, i) => (first + i * stride) % people).filter((person) => person !== except)
}
