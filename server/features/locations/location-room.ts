import type { Db, Tx } from '../../db/connect.ts'
import { AppError } from '../../kernel/errors.ts'
import { businessEntitlements } from '../billing/index.ts'
import { locationIds } from './locations.queries.ts'

/** What a business without a plan may have, the main one among them. */
export const freeLocations = 5
/** What any business may have: they are answered all at once, and an item can differ at each (`offers` in contracts/menus.ts). */
const mostLocations = 500

/** `locationLimit` null: without limit. The main location is one, whether it was saved or not. */
export async function locationRoom(
  db: Db,
  businessId: string,
  now: Date,
): Promise<{ locationCount: number; locationLimit: number | null }> {
  const others = (await locationIds(db, businessId)).filter((id) => id !== businessId)
  const isFree = !(await businessEntitlements(db, businessId, now)).has('unlimited_locations')
  return { locationCount: others.length + 1, locationLimit: isFree ? freeLocations : null }
}

/** Asked with the business locked. @throws AppError plan_limit, conflict */
export async function requireLocationRoom(tx: Tx, businessId: string, now: Date): Promise<void> {
  const { locationCount, locationLimit } = await locationRoom(tx, businessId, now)
  if (locationCount >= mostLocations) {
    throw new AppError('conflict', { message: `A business can have at most ${mostLocations} locations.` })
  }
  if (locationLimit === null || locationCount < locationLimit) return
  const others = locationCount > locationLimit ? ` The ${locationCount} that there are stay.` : ''
  throw new AppError('plan_limit', {
    message: `A free account has room for ${locationLimit} locations.${others} Choose Business Tools to add more.`,
  })
}
