import { type Kysely, sql } from 'kysely'

/** The row that represents all deleted accounts. */
const formerMemberId = '00000000-0000-7000-8000-000000000001'

/**
 * Posts of deleted accounts that were emptied while held or hidden stayed hidden for good, along with other people's comments. Those that
 * moderators have hidden since stay hidden: earlier decisions lost their effects with the account.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ id: string; community_id: string | null }>`
    select id, community_id from posts
    where author_id = ${formerMemberId}::uuid and business_id is null and moderation in ('held', 'hidden')
      and not exists (select from moderation_effects effects join moderation_actions actions on actions.id = effects.action_id
        where effects.subject = 'post' and effects.subject_id = posts.id and effects.after = 'hidden' and actions.undone_at is null)
    order by id`.execute(db)
  if (rows.length === 0) return
  // Locks in the order of running nodes: community, person, post.
  const communities = rows.flatMap(({ community_id }) => community_id ?? [])
  await sql`select from communities where id = any(${communities}::uuid[]) order by id for update`.execute(db)
  await sql`select from users where id = ${formerMemberId}::uuid for update`.execute(db)
  const ids = rows.map(({ id }) => id)
  await sql`
    with shown as (
      update posts set moderation = null, updated_at = now()
      where id = any(${ids}::uuid[]) and moderation in ('held', 'hidden') returning community_id),
    counted as (
      update communities set post_count = post_count + added.count
      from (select community_id, count(*)::int as count from shown where community_id is not null group by community_id) added
      where communities.id = added.community_id)
    update users set posts_count = posts_count + (select count(*)::int from shown where community_id is null)
    where id = ${formerMemberId}::uuid`.execute(db)
  await sql`
    insert into community_post_ranks (post_id, community_id, likes_count, created_at, active_at)
    select posts.id, posts.community_id, posts.likes_count, posts.created_at, greatest(posts.created_at, (
      select max(comments.created_at) from comments
      where comments.post_id = posts.id and comments.moderation is null and not comments.is_deleted))
    from posts where id = any(${ids}::uuid[]) and community_id is not null and moderation is null
    on conflict do nothing`.execute(db)
}
