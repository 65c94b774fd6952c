import { type Ids, someTime } from './dataset-ids.ts'
import { followsOf, randomOf, type Shape } from './dataset-shape.ts'
import { named, type Table } from './dataset-table.ts'

export const followTables = (shape: Shape, ids: Ids): Table[] => [
  {
    name: 'business_follows',
    columns: named('user_id business_id is_implied created_at'),
    *rows() {
      for (const [person, business, kind] of businessFollows(shape))
        yield [ids.person(person), ids.business(business), kind === 'subscription', followedAt(shape, person, business)]
    },
  },
  {
    name: 'subscriptions',
    columns: named('user_id business_id created_at'),
    *rows() {
      for (const [person, business, kind] of businessFollows(shape))
        if (kind !== 'follow') yield [ids.person(person), ids.business(business), followedAt(shape, person, business)]
    },
  },
  {
    name: 'person_follows',
    columns: named('follower_id person_id created_at'),
    *rows() {
      for (let person = 0; person <= shape.people; person++)
        for (const other of followsOf(shape, person).people) yield [ids.person(person), ids.person(other), followedAt(shape, person, other)]
    },
  },
]

function* businessFollows(shape: Shape) {
  for (let person = 0; person <= shape.people; person++)
    for (const [business, kind] of followsOf(shape, person).businesses) yield [person, business, kind] as const
}

const followedAt = (shape: Shape, person: number, other: number) => someTime(shape, randomOf(shape, 'notifications', person * 31 + other))
