import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { invalidField } from '../../kernel/errors.ts'
import { isUnattached } from './media.queries.ts'

/**
 * Holds these uploads until the transaction ends: each is ready, the person's own, and shown nowhere yet.
 * @throws AppError invalid_input about `mediaIds`
 */
export async function requireReadyMedia(tx: Tx, ownerId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const own = await tx
    .selectFrom('media')
    .select(['id', 'status'])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('owner_id', '=', ownerId)
    .orderBy('id')
    .forUpdate()
    .execute()
  if (own.length !== new Set(ids).size) throw invalidField('mediaIds', 'One of these uploads is gone, or not yours')
  if (own.some((row) => row.status !== 'ready')) throw invalidField('mediaIds', 'One of these uploads is not ready yet')
  // Asked only now that nobody else can attach them.
  const { free } = await tx
    .selectFrom('media')
    .select((eb) => eb.fn.countAll<number>().as('free'))
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where(isUnattached)
    .executeTakeFirstOrThrow()
  if (free !== ids.length) throw invalidField('mediaIds', 'One of these uploads is shown somewhere already')
}
