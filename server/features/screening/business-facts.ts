import type { Facts } from '../../../compliance/judge.ts'
import { utcDate } from '../../../contracts/age.ts'
import type { Db } from '../../db/connect.ts'

export type BusinessFacts = NonNullable<Facts['business']>

export async function businessFacts(db: Db, businessId: string, now: Date): Promise<BusinessFacts> {
  const row = await db
    .selectFrom('businesses')
    .leftJoin('license_verifications', (join) =>
      join.onRef('license_verifications.business_id', '=', 'businesses.id').on('license_verifications.status', '=', 'verified'),
    )
    .select(['businesses.country', 'businesses.state', 'license_verified_through', 'license_verifications.license_number'])
    .where('businesses.id', '=', businessId)
    .executeTakeFirstOrThrow()
  return {
    place: { country: row.country, state: row.state },
    isLicensed: row.license_verified_through !== null && row.license_verified_through >= utcDate(now),
    licenseNumber: row.license_number,
  }
}
