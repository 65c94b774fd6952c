import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { unmoderatedName } from '#server/features/people/index.ts'
import { factsById, type ModeratedSubject, type SubjectPreview } from '#server/kernel/moderated-subject.ts'
import { photosOfMessages } from './messages.queries.ts'

/** Messages shown as context before and after a reported one. */
const maxContextMessages = 10

/** Moderators see messages only in the case about a reported one. The code that returns the case must log who viewed it. */
export const moderatedMessage: ModeratedSubject = {
  async find(db, ids) {
    const rows = await db
      .selectFrom('messages')
      .select(['id', 'sender_id as userId', 'moderation as state', 'created_at as createdAt'])
      .select(sql<string | null>`case when is_from_business then business_id end`.as('businessId'))
      .where(sql<boolean>`id = ${pageIds(ids)}`)
      .execute()
    return factsById(rows)
  },
  // Sequences and unread counts don't change, and nothing else counts messages.
  async set(tx, ctx, id, state) {
    const { numUpdatedRows } = await tx
      .updateTable('messages')
      .set({ moderation: state })
      .where('id', '=', id)
      .where(sql<boolean>`moderation is distinct from ${state}::text`)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await ctx.events.publish(tx, 'message.moderated', { messageId: id })
  },
  async preview(db, ids) {
    const [around, photos] = [await messagesOfCase(db, ids), await photosOfMessages(db, ids)]
    const previews = new Map<string, SubjectPreview>()
    for (const [id, context] of around) {
      const text = context.find((each) => each.isSubject)?.text ?? ''
      previews.set(id, { title: null, text, mediaIds: photos.get(id) ?? [], path: null, context })
    }
    return previews
  },
}

type AroundRow = {
  about: string
  id: string
  content: string
  created_at: Date
  is_from_business: boolean
  sender_id: string | null
  display_name: string | null
  first_name: string | null
  last_name: string | null
  business_name: string | null
}

/**
 * For each reported message, up to ten messages before and after it, oldest first, even if the participants deleted them. Call
 * only for cases, and log who viewed them.
 */
async function messagesOfCase(db: Db, messageIds: readonly string[]): Promise<Map<string, SubjectPreview['context']>> {
  const said = new Map<string, SubjectPreview['context']>()
  if (messageIds.length === 0) return said
  const near = (isBefore: boolean) => sql`
    select * from messages
    where messages.conversation_id = subject.conversation_id
      and messages.sequence ${isBefore ? sql`<=` : sql`>`} subject.sequence
    order by messages.sequence ${isBefore ? sql`desc` : sql`asc`} limit ${isBefore ? maxContextMessages + 1 : maxContextMessages}::int`
  const { rows } = await sql<AroundRow>`
    select subject.id as about, around.id, around.content, around.created_at, around.is_from_business, around.sender_id,
      users.display_name, users.first_name, users.last_name, businesses.name as business_name
    from messages subject
    cross join lateral ((${near(true)}) union all (${near(false)})) as around
    left join users on users.id = around.sender_id
    left join businesses on businesses.id = around.business_id
    where subject.id = any(${messageIds}::uuid[])
    order by subject.id, around.sequence`.execute(db)
  for (const row of rows) {
    const each = { author: authorOf(row), text: row.content, createdAt: row.created_at.toISOString(), isSubject: row.id === row.about }
    said.set(row.about, [...(said.get(row.about) ?? []), each])
  }
  return said
}

/** Null if the account was deleted. */
function authorOf(row: AroundRow): string | null {
  if (row.is_from_business) return row.business_name
  if (row.sender_id === null) return null
  return unmoderatedName(row)
}
