import { newId } from '../../kernel/ids.ts'
import { setLicenseVerified } from '../businesses/index.ts'
import { demoBusinesses } from './demo-businesses.ts'
import { daysBefore, type Loading, needed } from './loading.ts'

/**
 * Farms and shops of the demo advertise, which takes a verified license. Theirs are as invented as they are, and say so: no register
 * has a number like these.
 */
export async function addLicenses({ tx, now, businesses }: Loading): Promise<void> {
  const licensed = demoBusinesses.filter(({ type }) => type === 'farm' || type === 'dispensary' || type === 'food_service')
  for (const [place, { key, name, state, type, openedDaysAgo }] of licensed.entries()) {
    const businessId = needed(businesses, key)
    const number = `DEMO-${String(place + 1).padStart(4, '0')}`
    const at = daysBefore(now, openedDaysAgo)
    await tx
      .insertInto('license_verifications')
      .values({
        id: newId(),
        business_id: businessId,
        license_number: number,
        license_number_key: number.replace('-', ''),
        state,
        license_name: name,
        business_type: type,
        match: 'none',
        status: 'verified',
        basis: 'document',
        authority: 'Invented for the demo',
        source: 'Demo content',
        created_at: at,
        verified_at: at,
        checked_at: at,
        updated_at: at,
      })
      .execute()
    await setLicenseVerified(tx, businessId, { through: null }, at)
  }
}
