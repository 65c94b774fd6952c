import type { Tx } from '../../db/connect.ts'

/**
 * Links a license that no listing has to a business that its owner made: imports keep such a link, and the page shows what the
 * register says. A listing of the register has the licenses of its place, and no other.
 */
export async function linkLicense(tx: Tx, licenseId: string, businessId: string): Promise<void> {
  await tx
    .updateTable('licenses')
    .set({ business_id: businessId })
    .where('id', '=', licenseId)
    .where('business_id', 'is', null)
    .where((eb) =>
      eb.exists(eb.selectFrom('businesses').select('id').where('businesses.id', '=', businessId).where('register_place', 'is', null)),
    )
    .execute()
}

/** Takes a license from a business that its owner made, as it turned out to be another's. A listing of the register keeps its own. */
export async function unlinkLicense(tx: Tx, licenseId: string): Promise<void> {
  await tx
    .updateTable('licenses')
    .set({ business_id: null })
    .where('id', '=', licenseId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('businesses')
          .select('businesses.id')
          .whereRef('businesses.id', '=', 'licenses.business_id')
          .where('businesses.register_place', 'is', null),
      ),
    )
    .execute()
}
