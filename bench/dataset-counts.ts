import { followsOf, postAt, type Shape } from './dataset-shape.ts'

/** Counts that require a pass over everything: one per business or person, a few megabytes at the largest size. */
export type Counts = { subscribers: Int32Array; followers: Int32Array; posts: Int32Array }

export function countAll(shape: Shape): Counts {
  const counts: Counts = {
    subscribers: new Int32Array(shape.businesses),
    followers: new Int32Array(shape.people + 1),
    posts: new Int32Array(shape.people + 1),
  }
  const count = (of: Int32Array, index: number) => {
    of[index] = (of[index] as number) + 1
  }
  for (let person = 0; person <= shape.people; person++) {
    const { businesses, people } = followsOf(shape, person)
    for (const [business, kind] of businesses) if (kind !== 'follow') count(counts.subscribers, business)
    for (const other of people) count(counts.followers, other)
  }
  for (let index = 0; index < shape.posts; index++) {
    const { author, business } = postAt(shape, index)
    // A post by a business doesn't count as one by its author.
    if (business === null) count(counts.posts, author)
  }
  return counts
}

export function countsOfPerson(shape: Shape, counts: Counts, person: number): { following: number; followers: number; posts: number } {
  const { businesses, people } = followsOf(shape, person)
  return {
    following: businesses.size + people.length,
    followers: counts.followers[person] as number,
    posts: counts.posts[person] as number,
  }
}
