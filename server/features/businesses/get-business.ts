import type { Business, License } from '../../../contracts/businesses.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/errors.ts'
import { detailRow, licensesOf, licensesOfThese, requireBusiness, shownVerification } from './businesses.queries.ts'
import { toBusiness, toLicense } from './businesses.view.ts'

/** As everybody sees it: what moderators took from view is not there. @throws AppError not_found */
export async function getShownBusiness(db: Db, idOrSlug: string, now: Date): Promise<Business> {
  return getBusiness(db, (await requireBusiness(db, idOrSlug)).id, now)
}

/** For its team, whatever moderators made of it; undefined for others. */
export async function getOwnBusiness(
  db: Db,
  { id: viewerId }: Pick<Actor, 'id'>,
  idOrSlug: string,
  now: Date,
): Promise<Business | undefined> {
  const business = await requireBusiness(db, idOrSlug, viewerId).catch(() => undefined)
  return business && getBusiness(db, business.id, now)
}

/** Shown or not: whoever calls has asked. @throws AppError not_found */
export async function getBusiness(db: Db, id: string, now: Date): Promise<Business> {
  const row = await detailRow(db, id, now)
  if (!row) throw notFound('Business not found.')
  return toBusiness(row, await licensesOf(db, row.id), await shownVerification(db, row.id, now))
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
