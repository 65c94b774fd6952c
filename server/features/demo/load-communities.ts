import { sql } from 'kysely'
import { slugBase } from '#server/features/businesses/index.ts'
import { rankPosts } from '#server/features/posts/index.ts'
import { newId } from '#server/kernel/ids.ts'
import { type DemoCommunity, type DemoCommunityPost, demoCommunities, demoCommunityPosts } from './demo-communities.ts'
import { daysBefore, type Loading, needed } from './loading.ts'

export async function addCommunities(loading: Loading): Promise<void> {
  const communities = new Map<string, string>()
  for (const community of demoCommunities) communities.set(community.key, await addCommunity(loading, community))
  for (const post of demoCommunityPosts) await addPost(loading, needed(communities, post.community), post)
}

async function addCommunity({ tx, now, people }: Loading, community: DemoCommunity): Promise<string> {
  const { key, name, description, category, visibility, rules, members, moderators = [], isVerified = false } = community
  const id = newId()
  const founded = daysBefore(now, community.foundedDaysAgo)
  await tx
    .insertInto('communities')
    .values({
      id,
      slug: slugBase(name, ''),
      name,
      description,
      category,
      visibility,
      rules,
      is_verified: isVerified,
      member_count: members.length,
      post_count: demoCommunityPosts.filter((post) => post.community === key).length,
      search_text: `${name} ${description}`.toLowerCase(),
      created_by: needed(people, members[0] ?? ''),
      is_demo: true,
      created_at: founded,
      updated_at: founded,
    })
    .execute()
  const roleOf = (person: string, place: number) => (place === 0 ? 'owner' : moderators.includes(person) ? 'moderator' : 'member')
  await tx
    .insertInto('community_members')
    .values(
      members.map((person, place) => ({
        community_id: id,
        user_id: needed(people, person),
        role: roleOf(person, place),
        // Members join one after another in the first half of the community's life.
        joined_at: daysBefore(now, community.foundedDaysAgo * (1 - place / (2 * members.length))),
      })),
    )
    .execute()
  return id
}

async function addPost({ tx, now, people, businesses }: Loading, communityId: string, post: DemoCommunityPost): Promise<void> {
  const { by, type, title, content, tags = [], likes = [], comments = [], daysAgo } = post
  const id = newId()
  const at = daysBefore(now, daysAgo)
  await tx
    .insertInto('posts')
    .values({
      id,
      author_id: needed(people, by),
      community_id: communityId,
      title,
      content,
      post_type: type,
      tags,
      likes_count: likes.length,
      comments_count: comments.length,
      pinned_at: post.isPinned ? at : null,
      linked_strain: post.linkedStrain ?? null,
      linked_business_id: post.linkedBusiness ? needed(businesses, post.linkedBusiness) : null,
      created_at: at,
      updated_at: at,
    })
    .execute()
  if (likes.length > 0) {
    await tx
      .insertInto('post_likes')
      .values(likes.map((person, place) => ({ post_id: id, user_id: needed(people, person), created_at: after(now, daysAgo, place + 1) })))
      .execute()
  }
  const said = comments.map((comment) => ({
    id: newId(),
    post_id: id,
    author_id: needed(people, comment.by),
    content: comment.content,
    created_at: daysBefore(now, comment.daysAgo),
  }))
  if (said.length > 0) await tx.insertInto('comments').values(said).execute()
  await rankPosts(tx, [id])
  const accepted = post.acceptedComment === undefined ? undefined : said[post.acceptedComment]
  if (accepted) await tx.updateTable('posts').set({ accepted_comment_id: accepted.id }).where('id', '=', id).execute()
  if (post.poll) await addPoll({ tx, now, people }, id, daysAgo, post.poll)
  // Full weight: the posts are only days old, and a score halves in a week.
  for (const tag of tags) {
    await tx
      .insertInto('community_tags')
      .values({ community_id: communityId, tag, score: 2 ** (-daysAgo / 7), scored_at: now })
      .onConflict((conflict) =>
        conflict.columns(['community_id', 'tag']).doUpdateSet({ score: sql`community_tags.score + excluded.score` }),
      )
      .execute()
  }
}

const after = (now: Date, daysAgo: number, hours: number): Date => daysBefore(now, Math.max(daysAgo - hours / 24, 0))

async function addPoll(
  { tx, now, people }: Pick<Loading, 'tx' | 'now' | 'people'>,
  postId: string,
  daysAgo: number,
  options: NonNullable<DemoCommunityPost['poll']>,
): Promise<void> {
  const votes = options.flatMap(({ voters }, position) => voters.map((person) => ({ position, person })))
  await tx.insertInto('polls').values({ post_id: postId, votes_count: votes.length }).execute()
  await tx
    .insertInto('poll_options')
    .values(options.map(({ label, voters }, position) => ({ post_id: postId, position, label, votes_count: voters.length })))
    .execute()
  await tx
    .insertInto('poll_votes')
    .values(
      votes.map(({ position, person }, place) => ({
        post_id: postId,
        user_id: needed(people, person),
        position,
        created_at: after(now, daysAgo, place + 1),
      })),
    )
    .execute()
}
