import {
  type CommentFacts,
  daysMs,
  joinedAt,
  measuredPerson,
  openedAt,
  type PostFacts,
  postAt,
  randomOf,
  type Shape,
} from './dataset-shape.ts'
import type { Random } from './random.ts'

export type Ids = ReturnType<typeof idsOf>

/** The measured person's account is created by the accounts feature and has a random ID. */
export function idsOf(shape: Shape, measuredId: string) {
  return {
    person: (person: number) => (person === measuredPerson(shape) ? measuredId : idOf(1, person, joinedAt(shape, person))),
    business: (business: number) => idOf(2, business, openedAt(shape, business)),
    post: (post: PostFacts) => idOf(3, post.index, post.at),
    comment: (post: PostFacts, { number, at }: Pick<CommentFacts, 'number' | 'at'>) => idOf(4, post.index * 64 + number, at),
    review: (business: number, number: number) => idOf(5, business * 512 + number, reviewedAt(shape, business, number)),
  }
}

/** A UUIDv7 with the kind and the number in place of the random bits. */
export function idOf(kind: number, number: number, at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${kind.toString(16)}00-8000-${number.toString(16).padStart(12, '0')}`
}

/** Oldest first. */
export function* allPosts(shape: Shape) {
  for (let index = 0; index < shape.posts; index++) yield postAt(shape, index)
}

export const someTime = ({ until }: Shape, random: Random) => new Date(until.getTime() - Math.floor(random() * daysMs(700)))
export const reviewedAt = (shape: Shape, business: number, number: number) =>
  someTime(shape, randomOf(shape, 'notifications', business * 512 + number))
