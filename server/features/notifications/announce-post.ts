import { sql } from 'kysely'
import { type CalendarDate, latestBirthday, utcDate } from '#contracts/age.ts'
import { type SwitchedType, topicOf } from '#contracts/notification-types.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { productAgeOf } from '#server/features/jurisdictions/index.ts'
import { mentionsPerson } from '#server/features/mentions/index.ts'
import { isVisible } from '#server/features/posts/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { lastUuid } from '#server/kernel/ids.ts'
import { derivedIds, queueDeliveries } from './notify.ts'
import { isWanted } from './preferences.ts'

const batchSize = 1000
/** After this many batches, a new job continues, so that none runs long and a failed one resumes close to where it stopped. */
const batchesPerJob = 10

export type AnnouncePost = {
  postId: string
  /** Cursor: the position of the last follower in the previous batch. */
  after?: string
}

/**
 * Notifies the followers of a post's business or author, a thousand per statement. Idempotent even for read notifications, because the ID
 * derives from the post and the person. Notifications have the post's time, because jobs run concurrently and late.
 */
export async function announcePost(ctx: Pick<Context, 'db' | 'jobs' | 'live' | 'clock'>, { postId, after }: AnnouncePost): Promise<void> {
  const post = await findPost(ctx.db, postId)
  if (!post) return
  const type = typeOf(post)
  const bornBy = latestBirthday(productAgeOf(post).minimumAge, utcDate(ctx.clock.now()))
  let last: string | null = after ?? ''
  for (let batch = 0; batch < batchesPerJob && last !== null; batch++) {
    const isFirst = last === ''
    const notified = await inTransaction(ctx.db, async (tx) => {
      const done = await notifyBatch(tx, { post, type, bornBy, after: last ?? '', now: ctx.clock.now() })
      await queueDeliveries(ctx.jobs, tx, done.userIds)
      return done
    })
    // The first signal goes to every viewer, because it also updates feeds. Later batches only change badges.
    if (isFirst) await ctx.live.publish({ kind: 'post', postId })
    else if (notified.userIds.length > 0) await ctx.live.publish({ kind: 'notifications', userIds: notified.userIds })
    last = notified.last
  }
  if (last !== null) await ctx.jobs.enqueue('notifications.announce-post', { postId, after: last })
}

type PostToAnnounce = NonNullable<Awaited<ReturnType<typeof findPost>>>

const findPost = (db: Db, postId: string) =>
  db
    .selectFrom('posts')
    .leftJoin('businesses', 'businesses.id', 'posts.business_id')
    .select(['posts.id', 'posts.author_id', 'posts.business_id', 'posts.post_type', 'posts.tags'])
    .select(['businesses.type as business_type', 'businesses.country', 'businesses.state'])
    .where('posts.id', '=', postId)
    .executeTakeFirst()

function typeOf(post: PostToAnnounce): SwitchedType {
  if (post.business_id === null) return 'person_post'
  const isFarm = post.business_type === 'farm'
  if (isFarm && post.tags.includes('harvest')) return 'harvest_ready'
  if (post.post_type === 'product') return 'new_product'
  return isFarm && post.post_type === 'update' ? 'farm_update' : 'business_post'
}

type Batch = { post: PostToAnnounce; type: SwitchedType; bornBy: CalendarDate; after: string; now: Date }

/** Returns the people notified and the cursor of the next batch, null after the last. */
async function notifyBatch(tx: Tx, batch: Batch): Promise<{ userIds: string[]; last: string | null }> {
  const { post, type, bornBy, now } = batch
  const reader = {
    id: sql<string>`users.id`,
    isOfAge: sql<boolean>`users.birthday <= ${bornBy}::date`,
    now: sql<Date>`${now}::timestamptz`,
  }
  const ids = derivedIds(post.id, post.id)
  const { rows } = await sql<{ user_ids: string[]; last: string | null; size: number }>`
    with batch as (${followers(batch)}),
    notified as (
      insert into notifications (id, user_id, type, group_key, business_id, post_id, actor_id, created_at)
      select ${ids.id}, users.id, ${type}, ${`post:${post.id}`}, posts.business_id, posts.id,
        case when posts.business_id is null then posts.author_id end, posts.created_at
      from batch
        join users on users.id = batch.user_id
        ${ids.join}
        join posts on posts.id = ${post.id}::uuid
        left join businesses on businesses.id = posts.business_id
      where users.id <> posts.author_id and ${isVisible(reader)} and ${isWanted(sql`users.id`, topicOf(type), now)}
        -- These people are notified of the mention instead.
        and not (${mentionsPerson(sql`mentions.post_id = posts.id`, sql`users.id`)} and ${isWanted(sql`users.id`, 'mentions', now)})
      order by users.id
      on conflict do nothing
      returning user_id
    )
    select array(select user_id from notified) as user_ids,
      (select position from batch order by ${post.business_id === null ? sql`follow_time, user_id` : sql`user_id desc`} limit 1) as last,
      (select count(*) from batch) as size`.execute(tx)
  const [row] = rows
  return { userIds: row?.user_ids ?? [], last: row && row.size >= batchSize ? row.last : null }
}

/** A business's followers by ID, but a person's newest first, because their indexes differ. */
function followers({ post, after }: Batch) {
  if (post.business_id !== null) {
    return sql`
      select user_id, user_id::text as position from business_follows
      where business_id = ${post.business_id}::uuid and (${after} = '' or user_id > nullif(${after}, '')::uuid)
      order by user_id limit ${batchSize}`
  }
  const [time = null, id = null] = after === '' ? [] : after.split(' ')
  return sql`
    select follower_id as user_id, created_at as follow_time, ${asIso(sql`created_at`)} || ' ' || follower_id as position from person_follows
    where person_id = ${post.author_id}::uuid
      and (created_at, follower_id) < (coalesce(${time}::timestamptz, 'infinity'), coalesce(${id}::uuid, ${lastUuid}::uuid))
    order by created_at desc, follower_id desc limit ${batchSize}`
}

const asIso = (time: ReturnType<typeof sql>) => sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
