import type { PostType } from '#contracts/posts.ts'
import { type Jurisdiction, maySeeProducts, productAgeOf } from '#server/features/jurisdictions/index.ts'
import { AppError, invalidInput } from '#server/kernel/errors.ts'
import type { Viewer } from './viewer.ts'
import { advertising } from './visible-posts.ts'

type Kind = { postType: PostType; isExclusive: boolean }

/** Rules for every post. @throws AppError invalid_input, age_restricted */
export function requirePublishable(post: Kind, writer: Viewer, business: Jurisdiction | null): void {
  requireFitting(post, business !== null)
  requireAge(post.postType, writer.age, business)
}

/** Rules for content only businesses can publish; reports all problems at once. @throws AppError invalid_input */
export function requireFitting(post: Kind, isOfBusiness: boolean): void {
  if (isOfBusiness) return
  const issues = [
    ...(post.isExclusive ? [{ path: ['isExclusive'], message: 'Only a business can limit a post to its subscribers' }] : []),
    ...(advertising.includes(post.postType) ? [{ path: ['postType'], message: 'Only a business can post promotions and products' }] : []),
  ]
  if (issues.length > 0) throw invalidInput(issues)
}

/** People too young to see a business's advertising can't write it. @throws AppError age_restricted */
export function requireAge(postType: PostType, age: number | null, place: Jurisdiction | null): void {
  if (place === null || !advertising.includes(postType) || maySeeProducts(age, place)) return
  const { minimumAge } = productAgeOf(place)
  throw new AppError('age_restricted', { message: `Promotions and products of this business are for people ${minimumAge} or older.` })
}
