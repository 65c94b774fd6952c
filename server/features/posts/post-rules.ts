import type { PostType } from '../../../contracts/posts.ts'
import { AppError, invalidInput } from '../../kernel/errors.ts'
import { type Jurisdiction, maySeeProducts, productAgeOf } from '../jurisdictions/index.ts'
import type { Viewer } from './viewer.ts'
import { advertising } from './visible-posts.ts'

type Kind = { postType: PostType; isExclusive: boolean }

/** What every post must be to go out. @throws AppError invalid_input, age_restricted */
export function requirePublishable(post: Kind, writer: Viewer, business: Jurisdiction | null): void {
  requireFitting(post, business !== null)
  requireAge(post.postType, writer.age, business)
}

/** What only a business can publish; all that is wrong at once. @throws AppError invalid_input */
export function requireFitting(post: Kind, isOfBusiness: boolean): void {
  if (isOfBusiness) return
  const issues = [
    ...(post.isExclusive ? [{ path: ['isExclusive'], message: 'Only a business has subscribers to keep a post for' }] : []),
    ...(advertising.includes(post.postType) ? [{ path: ['postType'], message: 'Promotions and products are for businesses' }] : []),
  ]
  if (issues.length > 0) throw invalidInput(issues)
}

/** Whoever may not see a business's advertising does not write it either. @throws AppError age_restricted */
export function requireAge(postType: PostType, age: number | null, place: Jurisdiction | null): void {
  if (place === null || !advertising.includes(postType) || maySeeProducts(age, place)) return
  const { minimumAge } = productAgeOf(place)
  throw new AppError('age_restricted', { message: `Promotions and products of this business are for people of ${minimumAge} or older.` })
}
