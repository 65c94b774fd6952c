import { allPosts, type Ids } from './dataset-ids.ts'
import { type CommentFacts, commentsOf, likersOf, randomOf, reactionTime, type Shape } from './dataset-shape.ts'
import { named, type Table } from './dataset-table.ts'
import { cities, paragraph, phrase, tags } from './dataset-words.ts'
import { below, oneOf } from './random.ts'

export const postTables = (shape: Shape, ids: Ids): Table[] => [
  {
    name: 'posts',
    columns: named(`
        id author_id business_id title content post_type is_exclusive tags place likes_count comments_count created_at
        updated_at`),
    *rows() {
      for (const post of allPosts(shape)) {
        const random = randomOf(shape, 'details', -1 - post.index)
        yield [
          ...[ids.post(post), ids.person(post.author), post.business === null ? null : ids.business(post.business)],
          ...[phrase(random, 3 + below(random, 5)), paragraph(random), post.type, post.isExclusive],
          random() < 0.3 ? [oneOf(random, tags)] : [],
          ...[random() < 0.2 ? oneOf(random, cities).label : null, likersOf(shape, post).length, commentsOf(shape, post).length],
          ...[post.at, post.at],
        ]
      }
    },
  },
  {
    name: 'post_likes',
    columns: named('post_id user_id created_at'),
    *rows() {
      for (const post of allPosts(shape)) {
        const likers = likersOf(shape, post)
        for (let i = 0; i < likers.length; i++) yield [ids.post(post), ids.person(likers[i] as number), reactionTime(shape, post, i)]
      }
    },
  },
  {
    name: 'comments',
    columns: named('id post_id parent_id author_id business_id content replies_count created_at'),
    *rows() {
      for (const post of allPosts(shape)) {
        const all = commentsOf(shape, post)
        for (const comment of all) {
          const random = randomOf(shape, 'details', shape.posts + post.index * 64 + comment.number)
          const parent = comment.parent === null ? null : (all[comment.parent] as CommentFacts)
          yield [
            ...[ids.comment(post, comment), ids.post(post), parent && ids.comment(post, parent), ids.person(comment.author)],
            ...[comment.business === null ? null : ids.business(comment.business), `${phrase(random, 3 + below(random, 15))}.`],
            ...[all.filter(({ parent: of }) => of === comment.number).length, comment.at],
          ]
        }
      }
    },
  },
]
