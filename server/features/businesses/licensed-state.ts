import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { invalidField } from '../../kernel/errors.ts'
import { findState } from '../../kernel/geo/us-states.ts'

type Place = { state: string | null; country: string | null }

/**
 * A license holds in its state alone, and the age at which products are shown follows from the place. So a business with a license,
 * of the register or verified, does not leave the states of its licenses by an edit, neither for another one nor for nowhere.
 * Within the state where it stands it may move freely, whatever the register says. The business is locked by the caller.
 * @throws AppError invalid_input about `location`
 */
export async function requireLicensedState(tx: Tx, businessId: string, before: Place, after: Place): Promise<void> {
  if (after.state === before.state && after.country === before.country) return
  const { rows } = await sql<{ state: string }>`
    select state from licenses where business_id = ${businessId}
    union select state from license_verifications where business_id = ${businessId} and status = 'verified'
    order by state`.execute(tx)
  if (rows.length === 0 || rows.some(({ state }) => state === after.state)) return
  const names = rows.map(({ state }) => findState(state)?.name ?? state).join(' or ')
  throw invalidField('location', `The license of this business is of ${names}: enter a place there, such as a city with its state`)
}
