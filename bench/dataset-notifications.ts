import { type Ids, idOf } from './dataset-ids.ts'
import { followsOf, likersOf, measuredPerson, type PostFacts, postAt, randomOf, reactionTime, type Shape } from './dataset-shape.ts'
import { named, type Table } from './dataset-table.ts'

export const notificationTables = (shape: Shape, ids: Ids): Table[] => [
  {
    name: 'notifications',
    columns: named('id user_id type group_key business_id post_id actor_id actors_count is_read created_at'),
    *rows() {
      for (const { post, likers, isRead } of likedRecently(shape))
        yield [
          ...[likeNoticeId(post), ids.person(post.author), 'like', `like:${ids.post(post)}`, null, ids.post(post)],
          ...[ids.person(likers.at(-1) as number), likers.length, isRead, reactionTime(shape, post, likers.length - 1)],
        ]
      let number = 0
      for (const post of postsForMeasured(shape))
        yield [
          ...[idOf(7, post.index, post.at), ids.person(measuredPerson(shape)), 'business_post', `post:${ids.post(post)}`],
          ...[ids.business(post.business as number), ids.post(post), null, 0, number++ >= unreadOfMeasured, post.at],
        ]
    },
  },
  {
    name: 'notification_actors',
    columns: named('notification_id user_id created_at'),
    *rows() {
      for (const { post, likers } of likedRecently(shape))
        for (let i = 0; i < likers.length; i++) yield [likeNoticeId(post), ids.person(likers[i] as number), reactionTime(shape, post, i)]
    },
  },
]

const likeNoticeId = (post: PostFacts) => idOf(6, post.index, post.at)

/** Index of the first post within this many days. */
const postsSince = ({ posts }: Shape, days: number) => Math.floor(posts * (1 - days / 730))

/** One notification, usually read, for each liked post of the last half year that isn't by a business. */
function* likedRecently(shape: Shape) {
  for (let index = postsSince(shape, 180); index < shape.posts; index++) {
    const post = postAt(shape, index)
    if (post.business !== null) continue
    const likers = likersOf(shape, post)
    if (likers.length > 0) yield { post, likers, isRead: randomOf(shape, 'notifications', -1 - index)() < 0.85 }
  }
}

const noticesOfMeasured = 300
const unreadOfMeasured = 60

/** The newest public posts of the businesses that the measured person follows. */
function* postsForMeasured(shape: Shape) {
  const { businesses } = followsOf(shape, measuredPerson(shape))
  let left = noticesOfMeasured
  for (let index = shape.posts - 1; index >= 0 && left > 0; index--) {
    const post = postAt(shape, index)
    if (post.business === null || post.isExclusive || !businesses.has(post.business)) continue
    left--
    yield post
  }
}
