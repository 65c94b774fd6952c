import type { Tx } from '../../db/connect.ts'

/** What stands for "no end is stated". */
const noEnd = '9999-12-31'

type Verified = {
  /** Its last day, or null where nobody states one. */
  through: string | null
}

/**
 * Says that the license of a business is verified, or (`null`) not any more. A business of which the register has no license shows
 * the same as its standing.
 */
export async function setLicenseVerified(tx: Tx, businessId: string, verified: Verified | null, now: Date): Promise<void> {
  await tx
    .updateTable('businesses')
    .set((eb) => ({
      license_verified_through: verified && (verified.through ?? noEnd),
      license_standing: eb
        .case()
        .when(eb.exists(eb.selectFrom('licenses').select('licenses.id').where('licenses.business_id', '=', businessId)))
        .then(eb.ref('license_standing'))
        .else(verified ? ('listed' as const) : ('inactive' as const))
        .end(),
      updated_at: now,
    }))
    .where('id', '=', businessId)
    .execute()
}
