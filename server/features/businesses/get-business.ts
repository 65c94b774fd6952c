import type { Business, License } from '../../../contracts/businesses.ts'
import type { Db } from '../../db/connect.ts'
import { notFound } from '../../kernel/errors.ts'
import { detailRow, licensesOf, licensesOfThese, shownVerification } from './businesses.queries.ts'
import { toBusiness, toLicense } from './businesses.view.ts'

/** @throws AppError not_found */
export async function getBusiness(db: Db, idOrSlug: string): Promise<Business> {
  const row = await detailRow(db, idOrSlug)
  if (!row) throw notFound('Business not found.')
  return toBusiness(row, await licensesOf(db, row.id), await shownVerification(db, row.id))
}

/** The licenses of several businesses, by the business. */
export async function licensesOfAll(db: Db, businessIds: readonly string[]): Promise<Map<string, License[]>> {
  const found = new Map<string, License[]>()
  if (businessIds.length === 0) return found
  for (const { business_id, ...row } of await licensesOfThese(db, businessIds)) {
    if (business_id) found.set(business_id, [...(found.get(business_id) ?? []), toLicense(row)])
  }
  return found
}
