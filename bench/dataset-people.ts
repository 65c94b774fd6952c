import { type Counts, countsOfPerson } from './dataset-counts.ts'
import type { Ids } from './dataset-ids.ts'
import { joinedAt, openedAt, ownerOf, randomOf, reviewsOf, type Shape } from './dataset-shape.ts'
import { named, type Table } from './dataset-table.ts'
import { cities, fullName, paragraph, phrase } from './dataset-words.ts'
import { below, oneOf } from './random.ts'

export const peopleTables = (shape: Shape, ids: Ids, counts: Counts): Table[] => [
  {
    name: 'users',
    columns: named(`
        id email email_verified name first_name last_name birthday user_type location is_profile_public
        has_completed_onboarding following_count followers_count posts_count created_at updated_at`),
    *rows() {
      for (let person = 0; person < shape.people; person++) {
        const random = randomOf(shape, 'details', person)
        const [first, last] = fullName(random)
        const birthday = `${1950 + below(random, 50)}-${String(1 + below(random, 12)).padStart(2, '0')}-15`
        const isOwner = person < shape.businesses
        const at = joinedAt(shape, person)
        const { following, followers, posts: written } = countsOfPerson(shape, counts, person)
        yield [
          ...[ids.person(person), benchEmail(person), true, `${first} ${last}`, first, last, birthday, isOwner ? 'business' : 'consumer'],
          ...[oneOf(random, cities).label, random() < 0.6, true, following, followers, written, at, at],
        ]
      }
    },
  },
  {
    name: 'businesses',
    columns: named(`
        id slug name type description location city state country search_text pin_latitude pin_longitude pin_precision
        rating_sum total_ratings rating_counts subscriber_count claimed_at created_at updated_at`),
    *rows() {
      for (let business = 0; business < shape.businesses; business++) {
        const random = randomOf(shape, 'details', shape.people + 1 + business)
        const city = oneOf(random, cities)
        const name = `${phrase(random, 2)} ${business}`
        const stars = reviewsOf(shape, business).map(({ rating }) => rating)
        const at = openedAt(shape, business)
        yield [
          ...[ids.business(business), `bench-business-${business}`, name, oneOf(random, businessTypes), paragraph(random), city.label],
          ...[city.city, city.state, 'US', `${name} ${city.label}`.toLowerCase(), city.latitude, city.longitude, 'city'],
          ...[stars.reduce<number>((sum, each) => sum + each, 0), stars.length],
          [1, 2, 3, 4, 5].map((rating) => stars.filter((each) => each === rating).length),
          ...[counts.subscribers[business] as number, at, at, at],
        ]
      }
    },
  },
  {
    name: 'business_members',
    columns: named('business_id user_id role created_at'),
    *rows() {
      for (let business = 0; business < shape.businesses; business++)
        yield [ids.business(business), ids.person(ownerOf(shape, business)), 'owner', openedAt(shape, business)]
    },
  },
]

const benchEmail = (person: number): string => `person-${person}@bench.sungrove.example`

const businessTypes = [
  'farm',
  'farm',
  'dispensary',
  'dispensary',
  'dispensary',
  'smoke_shop',
  'glass_shop',
  'food_service',
  'delivery',
  'other',
]
