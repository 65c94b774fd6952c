import type { SignInSession } from '../../../contracts/sign-in.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { decodeCursor, type Page, toPage } from '../../kernel/keyset.ts'
import { deleteOtherSessions } from './accounts.queries.ts'
import { deviceOf } from './device-name.ts'
import { auditOwn, tellSessionsEnded } from './sign-in-news.ts'

/** Where somebody is signed in, the newest sign-in first. No address is kept of anybody, so none is shown. */
export async function listSessions(
  { db, clock }: Context,
  actor: Actor,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<SignInSession>> {
  const after = decodeCursor(cursor, ['id'])
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'user_agent', 'created_at', 'last_used_at'])
    .where('user_id', '=', actor.id)
    .where('expires_at', '>', clock.now())
    .$if(after !== null, (query) => query.where('id', '<', after?.[0] as string))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const page = toPage(rows, limit, ({ id }) => [id])
  const items = page.items.map((row) => ({
    id: row.id,
    isCurrent: row.id === actor.sessionId,
    ...deviceOf(row.user_agent),
    signedInAt: row.created_at.toISOString(),
    lastUsedAt: (row.last_used_at ?? row.created_at).toISOString(),
  }))
  return { ...page, items }
}

/** Somebody else's session is none of theirs, and ends for nobody. Every request reads its session anew: the next one is refused, everywhere. */
export async function endSession(ctx: Context, actor: Actor, id: string): Promise<void> {
  const hasEnded = await inTransaction(ctx.db, async (tx) => {
    const { numDeletedRows } = await tx.deleteFrom('sessions').where('user_id', '=', actor.id).where('id', '=', id).executeTakeFirst()
    if (numDeletedRows === 0n) return false
    await auditOwn(ctx, tx, actor.id, 'session.ended')
    return true
  })
  if (hasEnded) await tellSessionsEnded(ctx, actor.id)
}

/** @returns how many have ended */
export async function endOtherSessions(ctx: Context, actor: Actor): Promise<number> {
  const ended = await inTransaction(ctx.db, async (tx) => {
    const count = await deleteOtherSessions(tx, actor.id, actor.sessionId)
    if (count > 0) await auditOwn(ctx, tx, actor.id, 'session.others_ended', { sessions: count })
    return count
  })
  if (ended > 0) await tellSessionsEnded(ctx, actor.id)
  return ended
}
