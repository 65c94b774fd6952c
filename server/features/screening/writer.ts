import { trustOf } from '../../../contracts/trust.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'

/** Whose words are screened. */
export type Writer = Pick<Actor, 'id' | 'trust'>

/** Somebody who writes without being there: their post was scheduled. */
export async function writerOf(db: Db, userId: string, now: Date): Promise<Writer> {
  const { created_at, email_verified } = await db
    .selectFrom('users')
    .select(['created_at', 'email_verified'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return { id: userId, trust: trustOf({ createdAt: created_at, isEmailVerified: email_verified }, now) }
}
