import type { Db, Tx } from '#server/db/connect.ts'
import { businessEntitlements } from '#server/features/billing/index.ts'
import { AppError } from '#server/kernel/errors.ts'
import { locationIds } from './locations.queries.ts'

/** Limit without a plan, including the main location. */
export const freeLocations = 5
/** Limit for any business: locations are not paginated, and an item can differ at each (`offers` in contracts/menus.ts). */
const maxLocations = 500

/** `locationLimit` null means no limit. The main location counts, saved or not. */
export async function locationRoom(
  db: Db,
  businessId: string,
  now: Date,
): Promise<{ locationCount: number; locationLimit: number | null }> {
  const others = (await locationIds(db, businessId)).filter((id) => id !== businessId)
  const isFree = !(await businessEntitlements(db, businessId, now)).has('unlimited_locations')
  return { locationCount: others.length + 1, locationLimit: isFree ? freeLocations : null }
}

/** The business must be locked. @throws AppError plan_limit, conflict */
export async function requireLocationRoom(tx: Tx, businessId: string, now: Date): Promise<void> {
  const { locationCount, locationLimit } = await locationRoom(tx, businessId, now)
  if (locationCount >= maxLocations) {
    throw new AppError('conflict', { message: `A business can have up to ${maxLocations} locations.` })
  }
  if (locationLimit === null || locationCount < locationLimit) return
  const others = locationCount > locationLimit ? ` The ${locationCount} you have will stay.` : ''
  throw new AppError('plan_limit', {
    message: `A free account has room for ${locationLimit} locations.${others} Get Business Tools to add more.`,
  })
}
