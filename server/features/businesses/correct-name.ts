import { sql } from 'kysely'
import { type Business, isNameOpen } from '../../../contracts/businesses.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { invalidField, notFound } from '../../kernel/errors.ts'
import { markForSearch } from '../../kernel/search.ts'
import { recordAudit } from '../audit/index.ts'
import { searchTextOf } from './text-filter.ts'

/** @throws AppError invalid_input about `name`, where others rely on the one that it has */
export function requireOpenName(business: Business): void {
  if (isNameOpen(business)) return
  const isLicensed = business.licenses.length > 0 || business.verification.status !== 'none'
  const why = isLicensed ? 'A license stands behind this name.' : 'People have reviewed this business or subscribed to it by this name.'
  throw invalidField('name', `${why} Write to us to have it corrected.`)
}

/**
 * An admin's correction of any name: as an owner's edits, it outlives the next reading of the register. The slug stays, as others
 * link to it.
 * @throws AppError not_found
 */
export async function correctName(ctx: Pick<Context, 'db' | 'clock' | 'cache'>, actor: Actor, id: string, name: string): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const before = await tx
      .selectFrom('businesses')
      .select(['name', 'description', 'location', 'edited_fields'])
      .where(sql<boolean>`id = ${id}::uuid`)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!before) throw notFound('There is no such business.')
    if (before.name === name) return
    await tx
      .updateTable('businesses')
      .set({
        name,
        search_text: searchTextOf({ ...before, name }),
        edited_fields: [...new Set([...before.edited_fields, 'name'])].sort(),
        updated_at: now,
      })
      .where('id', '=', id)
      .execute()
    await markForSearch(tx, 'business', [id])
    const entry = { action: 'business.renamed', subjectType: 'business', subjectId: id, businessId: id } as const
    await recordAudit(tx, { ...entry, at: now, actorId: actor.id })
  })
  ctx.cache.invalidate('businesses')
}
