import type { NotificationType } from '../../../contracts/notifications.ts'
import { newId } from '../../kernel/ids.ts'
import { demoBusinesses } from './demo-businesses.ts'
import { demoComments } from './demo-comments.ts'
import { demoPeopleFollows } from './demo-follows.ts'
import { demoLikes } from './demo-likes.ts'
import { demoPeoplePosts } from './demo-people-posts.ts'
import { type DemoPost, demoPosts } from './demo-posts.ts'
import { businessesFollowedBy } from './load-follows.ts'
import { type Deed, daysBefore, type Loading, needed } from './loading.ts'

type LoadedPost = {
  id: string
  title: string
  daysAgo: number
  author: string
  business: DemoPost['business'] | null
  type: NotificationType
}

export async function addPosts(loading: Loading): Promise<Deed[]> {
  const { tx, now, people, businesses } = loading
  const byKey = new Map(demoBusinesses.map((business) => [business.key, business]))
  const all = [
    ...demoPosts.map((post) => ({ isExclusive: false, ...post, author: needed(byKey, post.business).owner })),
    ...demoPeoplePosts.map((post) => ({ ...post, isExclusive: false, author: post.person, business: null })),
  ].map((post) => ({ ...post, id: newId() }))
  await tx
    .insertInto('posts')
    .values(
      all.map((post) => ({
        id: post.id,
        author_id: needed(people, post.author),
        business_id: post.business && needed(businesses, post.business),
        title: post.title,
        content: post.content,
        post_type: post.type,
        is_exclusive: post.isExclusive,
        tags: post.tags ?? [],
        place: post.place ?? null,
        likes_count: demoLikes[post.title]?.length ?? 0,
        comments_count: (demoComments[post.title] ?? []).reduce((sum, { replies = [] }) => sum + 1 + replies.length, 0),
        created_at: daysBefore(now, post.daysAgo),
      })),
    )
    .execute()
  const loaded = new Map(
    all.map(({ id, title, daysAgo, author, business, type, tags = [] }) => [
      title,
      { id, title, daysAgo, author, business, type: noticeOf(business && needed(byKey, business).type, type, tags) } satisfies LoadedPost,
    ]),
  )
  return [
    ...[...loaded.values()].map((post) => announcement(loading, post)),
    ...(await addLikes(loading, loaded)),
    ...(await addComments(loading, loaded)),
  ]
}

/** What followers are told that it is. */
function noticeOf(businessType: string | null, postType: DemoPost['type'], tags: string[]): NotificationType {
  if (businessType === null) return 'person_post'
  if (businessType === 'farm' && tags.includes('harvest')) return 'harvest_ready'
  if (postType === 'product') return 'new_product'
  return businessType === 'farm' && postType === 'update' ? 'farm_update' : 'business_post'
}

/** Told to those who followed by then, but not to the author. */
function announcement({ now, people, businesses }: Loading, post: LoadedPost): Deed {
  const hasFollowed = (person: string) =>
    post.business === null
      ? (demoPeopleFollows[person]?.[post.author] ?? 0) > post.daysAgo
      : businessesFollowedBy(person).some(({ key, daysAgo }) => key === post.business && daysAgo > post.daysAgo)
  return {
    tells: [...people].flatMap(([person, id]) => (person !== post.author && hasFollowed(person) ? [id] : [])),
    type: post.type,
    groupKey: `post:${post.id}`,
    actorId: post.business === null ? needed(people, post.author) : null,
    at: daysBefore(now, post.daysAgo),
    postId: post.id,
    ...(post.business === null ? {} : { businessId: needed(businesses, post.business) }),
  }
}

async function addLikes({ tx, now, people }: Loading, posts: Map<string, LoadedPost>): Promise<Deed[]> {
  const likes = Object.entries(demoLikes).flatMap(([title, keys]) => {
    const post = needed(posts, title)
    // Within two days of the post, or until now.
    const days = Math.min(post.daysAgo, 2)
    return keys.map((key, i) => ({
      post,
      userId: needed(people, key),
      at: daysBefore(now, post.daysAgo - (days * (i + 1)) / (keys.length + 1)),
    }))
  })
  await tx
    .insertInto('post_likes')
    .values(likes.map(({ post, userId, at }) => ({ post_id: post.id, user_id: userId, created_at: at })))
    .execute()
  return likes.map(({ post, userId, at }) => ({
    tells: [needed(people, post.author)],
    type: 'like',
    groupKey: `like:${post.id}`,
    actorId: userId,
    at,
    postId: post.id,
  }))
}

async function addComments({ tx, now, people, businesses }: Loading, posts: Map<string, LoadedPost>): Promise<Deed[]> {
  const owners = new Map(demoBusinesses.map(({ key, owner }) => [key, owner]))
  const all = Object.entries(demoComments).flatMap(([title, comments]) => {
    const post = needed(posts, title)
    return comments.flatMap(({ replies = [], ...comment }) => {
      const parent = { ...comment, post, id: newId(), parent: null, repliesCount: replies.length }
      return [parent, ...replies.map((reply) => ({ ...reply, post, id: newId(), parent, repliesCount: 0 }))]
    })
  })
  const writerOf = (by: string) => needed(people, owners.get(by) ?? by)
  const rows = all.map(({ id, by, content, daysAgo, post, parent, repliesCount }) => ({
    id,
    post_id: post.id,
    parent_id: parent?.id ?? null,
    author_id: writerOf(by),
    business_id: businesses.get(by) ?? null,
    content,
    replies_count: repliesCount,
    created_at: daysBefore(now, daysAgo),
  }))
  // Comments before the replies to them.
  await tx
    .insertInto('comments')
    .values(rows.filter((row) => row.parent_id === null))
    .execute()
  await tx
    .insertInto('comments')
    .values(rows.filter((row) => row.parent_id !== null))
    .execute()

  return all.flatMap(({ id, by, daysAgo, post, parent }): Deed[] => {
    const writer = writerOf(by)
    const business = businesses.get(by)
    const deed = {
      actorId: business ? null : writer,
      at: daysBefore(now, daysAgo),
      postId: post.id,
      commentId: id,
      ...(business ? { businessId: business } : {}),
    }
    const keyOf = (kind: string) => (business ? `${kind}:${business}` : kind)
    const answered = parent ? [writerOf(parent.by)] : []
    const owner = needed(people, post.author)
    return [
      { ...deed, tells: answered, type: 'reply', groupKey: keyOf(`reply:${parent?.id}`) },
      { ...deed, tells: answered.includes(owner) ? [] : [owner], type: 'comment', groupKey: keyOf(`comment:${post.id}`) },
    ].map((each) => ({ ...each, type: each.type as NotificationType, tells: each.tells.filter((told) => told !== writer) }))
  })
}
