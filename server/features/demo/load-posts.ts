import type { NotificationType } from '#contracts/notification-types.ts'
import { newId } from '#server/kernel/ids.ts'
import { demoBusinesses } from './demo-businesses.ts'
import { demoComments, demoPeoplePosts } from './demo-people-posts.ts'
import { type DemoPost, demoPosts } from './demo-posts.ts'
import { businessesFollowedBy, demoPeopleFollows } from './load-follows.ts'
import { type DemoActivity, daysBefore, type LoadContext, requireKey } from './loading.ts'

type LoadedPost = {
  id: string
  title: string
  daysAgo: number
  author: string
  business: DemoPost['business'] | null
  type: NotificationType
}

export async function addPosts(loading: LoadContext): Promise<DemoActivity[]> {
  const { tx, now, people, businesses } = loading
  const byKey = new Map(demoBusinesses.map((business) => [business.key, business]))
  const all = [
    ...demoPosts.map((post) => ({ isExclusive: false, ...post, author: requireKey(byKey, post.business).owner })),
    ...demoPeoplePosts.map((post) => ({ ...post, isExclusive: false, author: post.person, business: null })),
  ].map((post) => ({ ...post, id: newId() }))
  await tx
    .insertInto('posts')
    .values(
      all.map((post) => ({
        id: post.id,
        author_id: requireKey(people, post.author),
        business_id: post.business && requireKey(businesses, post.business),
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
      {
        id,
        title,
        daysAgo,
        author,
        business,
        type: noticeOf(business && requireKey(byKey, business).type, type, tags),
      } satisfies LoadedPost,
    ]),
  )
  return [
    ...[...loaded.values()].map((post) => announcement(loading, post)),
    ...(await addLikes(loading, loaded)),
    ...(await addComments(loading, loaded)),
  ]
}

function noticeOf(businessType: string | null, postType: DemoPost['type'], tags: string[]): NotificationType {
  if (businessType === null) return 'person_post'
  if (businessType === 'farm' && tags.includes('harvest')) return 'harvest_ready'
  if (postType === 'product') return 'new_product'
  return businessType === 'farm' && postType === 'update' ? 'farm_update' : 'business_post'
}

/** Notifies everyone who followed at the time, except the author. */
function announcement({ now, people, businesses }: LoadContext, post: LoadedPost): DemoActivity {
  const hasFollowed = (person: string) =>
    post.business === null
      ? (demoPeopleFollows[person]?.[post.author] ?? 0) > post.daysAgo
      : businessesFollowedBy(person).some(({ key, daysAgo }) => key === post.business && daysAgo > post.daysAgo)
  return {
    recipientIds: [...people].flatMap(([person, id]) => (person !== post.author && hasFollowed(person) ? [id] : [])),
    type: post.type,
    groupKey: `post:${post.id}`,
    actorId: post.business === null ? requireKey(people, post.author) : null,
    at: daysBefore(now, post.daysAgo),
    postId: post.id,
    ...(post.business === null ? {} : { businessId: requireKey(businesses, post.business) }),
  }
}

async function addLikes({ tx, now, people }: LoadContext, posts: Map<string, LoadedPost>): Promise<DemoActivity[]> {
  const likes = Object.entries(demoLikes).flatMap(([title, keys]) => {
    const post = requireKey(posts, title)
    // Within two days of the post, but no later than now.
    const days = Math.min(post.daysAgo, 2)
    return keys.map((key, i) => ({
      post,
      userId: requireKey(people, key),
      at: daysBefore(now, post.daysAgo - (days * (i + 1)) / (keys.length + 1)),
    }))
  })
  await tx
    .insertInto('post_likes')
    .values(likes.map(({ post, userId, at }) => ({ post_id: post.id, user_id: userId, created_at: at })))
    .execute()
  return likes.map(({ post, userId, at }) => ({
    recipientIds: [requireKey(people, post.author)],
    type: 'like',
    groupKey: `like:${post.id}`,
    actorId: userId,
    at,
    postId: post.id,
  }))
}

async function addComments({ tx, now, people, businesses }: LoadContext, posts: Map<string, LoadedPost>): Promise<DemoActivity[]> {
  const owners = new Map(demoBusinesses.map(({ key, owner }) => [key, owner]))
  const all = Object.entries(demoComments).flatMap(([title, comments]) => {
    const post = requireKey(posts, title)
    return comments.flatMap(({ replies = [], ...comment }) => {
      const parent = { ...comment, post, id: newId(), parent: null, repliesCount: replies.length }
      return [parent, ...replies.map((reply) => ({ ...reply, post, id: newId(), parent, repliesCount: 0 }))]
    })
  })
  const writerOf = (by: string) => requireKey(people, owners.get(by) ?? by)
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
  // A reply refers to its parent, which must exist.
  await tx
    .insertInto('comments')
    .values(rows.filter((row) => row.parent_id === null))
    .execute()
  await tx
    .insertInto('comments')
    .values(rows.filter((row) => row.parent_id !== null))
    .execute()

  return all.flatMap(({ id, by, daysAgo, post, parent }): DemoActivity[] => {
    const writer = writerOf(by)
    const business = businesses.get(by)
    const activity = {
      actorId: business ? null : writer,
      at: daysBefore(now, daysAgo),
      postId: post.id,
      commentId: id,
      ...(business ? { businessId: business } : {}),
    }
    const keyOf = (kind: string) => (business ? `${kind}:${business}` : kind)
    const answered = parent ? [writerOf(parent.by)] : []
    const owner = requireKey(people, post.author)
    return [
      { ...activity, recipientIds: answered, type: 'reply', groupKey: keyOf(`reply:${parent?.id}`) },
      { ...activity, recipientIds: answered.includes(owner) ? [] : [owner], type: 'comment', groupKey: keyOf(`comment:${post.id}`) },
    ].map((each) => ({ ...each, type: each.type as NotificationType, recipientIds: each.recipientIds.filter((id) => id !== writer) }))
  })
}

/** Title of a post → the people who like it, in order. Only subscribers like exclusive posts. */
export const demoLikes: Record<string, string[]> = {
  'Growers’ evening on Friday': ['sunniva', 'wren', 'odile', 'lorne', 'hollis'],
  'The new shelf is up': ['wren', 'desmond', 'sunniva', 'hollis', 'tobin', 'odile'],
  'Terrace No. 7 is back': ['desmond', 'lorne', 'wren'],
  'How we read a certificate of analysis': ['wren', 'priya', 'marisol', 'sunniva', 'hollis', 'ines', 'amadou', 'theo'],
  'What we buy in November, and why': ['wren', 'lorne', 'desmond'],
  'Why our lids stay closed': ['wren', 'marisol', 'hollis', 'yuki', 'desmond'],
  'Thursday’s menu': ['desmond', 'wren', 'sunniva'],
  'Creek Bend by the gram, all week': ['sunniva', 'lorne'],
  'Subscriber price on the North Slope lot': ['desmond', 'wren'],
  'Later on Fridays': ['lorne', 'sunniva', 'desmond'],
  'The drying room, day nine': ['hollis', 'theo', 'wren', 'marlow', 'sunniva', 'ines', 'marisol'],
  'Bed 31 is in': ['hollis', 'theo', 'wren', 'desmond', 'marlow', 'sunniva'],
  'Why we stopped tilling': ['hollis', 'theo', 'marisol', 'wren', 'ines'],
  'Next year’s crosses, in full': ['hollis', 'wren'],
  'What the harvest date tells you, and what it can’t': ['priya', 'theo', 'hollis', 'wren', 'yuki'],
  'The type drawers have labels again': ['yuki', 'hollis', 'tobin', 'theo'],
  'Second Edition, second run': ['hollis', 'priya'],
  'Nine clones, labeled at last': ['theo', 'hollis', 'wren'],
  'A year of mildew notes': ['theo', 'hollis', 'wren', 'marlow'],
  'Twelve spoons in smoke gray': ['yuki', 'lorne', 'amadou', 'marisol'],
  'The kiln is fixed': ['yuki', 'lorne', 'desmond'],
  'Cleaning without scratching': ['lorne', 'amadou', 'yuki', 'wren'],
  'Closed on Monday for inventory': ['yuki'],
  'A quieter hour': ['amadou', 'yuki', 'priya'],
  'The tea comes back in December': ['marisol', 'priya', 'amadou', 'yuki'],
  'New batch numbers': ['amadou', 'priya', 'wren'],
  'Rosemary crackers are in shops': ['wren', 'yuki', 'amadou'],
  'How a kitchen measures 2.5 milligrams': ['amadou', 'priya', 'wren', 'marisol', 'marlow'],
  'First frost, everything under cover': ['theo', 'odile', 'priya', 'hollis'],
  'The shortlist': ['odile', 'priya', 'theo'],
  'Thursday is visitors’ day': ['marisol', 'priya', 'hollis'],
  'What a terpene number doesn’t tell you': ['marisol', 'hollis', 'priya', 'marlow'],
  'Week five in the locked shed': ['sunniva', 'hollis', 'marisol', 'theo', 'desmond'],
  'Five things I write on every jar': ['marisol', 'sunniva', 'priya', 'yuki', 'lorne', 'hollis'],
  'To Boulder by bike, on the wrong day': ['marlow', 'desmond', 'sunniva'],
  'Your hygrometer lies. Here’s by how much': ['wren', 'marisol', 'theo', 'sunniva', 'odile', 'tobin'],
  'One year without the spade': ['odile', 'theo', 'wren', 'sunniva'],
  'Before I bought soil, I read the rules': ['wren', 'hollis', 'marisol', 'marlow', 'odile'],
  'Two of four came up': ['wren', 'hollis', 'odile'],
  'A lid that fits': ['tobin', 'amadou', 'wren', 'marisol'],
  'The two numbers on a wrapper': ['ines', 'priya', 'yuki', 'wren'],
  'Divide before you decide': ['amadou', 'wren', 'ines'],
  'An afternoon in someone else’s greenhouse': ['odile', 'hollis', 'wren'],
  'What desert air does to a cure': ['hollis', 'wren', 'sunniva', 'theo'],
  'The straight tube, a year on': ['tobin', 'yuki', 'wren'],
  'What’s in my coat in November': ['hollis', 'theo', 'ines', 'marlow', 'wren'],
  'Questions I like to be asked at the counter': ['wren', 'sunniva', 'priya', 'odile', 'desmond', 'lorne'],
  'Why I sign the bottom': ['yuki', 'lorne', 'amadou', 'marlow'],
  'Happy birthday to the scale': ['amadou', 'priya', 'marlow', 'odile'],
}
