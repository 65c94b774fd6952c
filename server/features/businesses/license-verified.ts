import type { Tx } from '../../db/connect.ts'
import { markForSearch } from '../../kernel/search.ts'

/** What stands for "no end is stated". */
const noEnd = '9999-12-31'

type Verified = {
  /** Its last day, or null where nobody states one. */
  through: string | null
}

/** Writes whether the license of a business is verified. Without a license of the register, that decides its standing too. */
export async function setLicenseVerified(
  tx: Tx,
  businessId: string,
  verified: Verified | null,
  now: Date,
  /** What a business without a license of the register shows when it is not verified. */
  standingWithout: 'inactive' | 'none' = 'inactive',
): Promise<void> {
  await tx
    .updateTable('businesses')
    .set((eb) => ({
      license_verified_through: verified && (verified.through ?? noEnd),
      license_standing: eb
        .case()
        .when(eb.exists(eb.selectFrom('licenses').select('licenses.id').where('licenses.business_id', '=', businessId)))
        .then(eb.ref('license_standing'))
        .else(verified ? ('listed' as const) : standingWithout)
        .end(),
      updated_at: now,
    }))
    .where('id', '=', businessId)
    .execute()
  // It ranks by its license at equal evidence.
  await markForSearch(tx, 'business', [businessId])
}
