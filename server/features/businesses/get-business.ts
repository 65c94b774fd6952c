import type { Business } from '../../../contracts/businesses.ts'
import type { Db } from '../../db/connect.ts'
import { notFound } from '../../kernel/errors.ts'
import { detailRow, licensesOf } from './businesses.queries.ts'
import { toBusiness } from './businesses.view.ts'

/** @throws AppError not_found */
export async function getBusiness(db: Db, idOrSlug: string): Promise<Business> {
  const row = await detailRow(db, idOrSlug)
  if (!row) throw notFound('Business not found.')
  return toBusiness(row, await licensesOf(db, row.id))
}
