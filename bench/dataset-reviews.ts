import { type Ids, reviewedAt } from './dataset-ids.ts'
import { ownerOf, randomOf, reviewsOf, type Shape } from './dataset-shape.ts'
import { named, type Table } from './dataset-table.ts'
import { paragraph } from './dataset-words.ts'

export const reviewTables = (shape: Shape, ids: Ids): Table[] => [
  {
    name: 'reviews',
    columns: named('id business_id user_id rating review is_freebie helpful_count reply replied_by replied_at created_at updated_at'),
    *rows() {
      for (let business = 0; business < shape.businesses; business++) {
        const all = reviewsOf(shape, business)
        for (let number = 0; number < all.length; number++) {
          const review = all[number] as (typeof all)[number]
          const random = randomOf(shape, 'details', business * 512 + number)
          const at = reviewedAt(shape, business, number)
          yield [
            ...[ids.review(business, number), ids.business(business), ids.person(review.person), review.rating],
            ...[review.hasWords ? paragraph(random) : null, review.isFreebie, review.helpedBy.length],
            ...(review.hasReply ? [paragraph(random), ids.person(ownerOf(shape, business)), at] : [null, null, null]),
            ...[at, at],
          ]
        }
      }
    },
  },
  {
    name: 'review_votes',
    columns: named('review_id user_id created_at'),
    *rows() {
      for (let business = 0; business < shape.businesses; business++) {
        const all = reviewsOf(shape, business)
        for (let number = 0; number < all.length; number++)
          for (const person of all[number]?.helpedBy ?? [])
            yield [ids.review(business, number), ids.person(person), reviewedAt(shape, business, number)]
      }
    },
  },
]
