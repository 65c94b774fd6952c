import type { LicenseState } from '#contracts/verification.ts'
import type { Db } from '#server/db/connect.ts'
import { getBusiness } from '#server/features/businesses/index.ts'
import { requirePermission } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { historyOf, linkedRows } from './verification.queries.ts'
import { toRegisterLicense, toVerifications } from './verification.view.ts'

const maxHistory = 20

/** @throws AppError not_found, forbidden */
export async function getVerification(db: Db, actor: Actor, idOrSlug: string, now: Date): Promise<LicenseState> {
  const { id } = await requirePermission(db, actor, idOrSlug, 'license')
  const [business, rows, linked, stated] = await Promise.all([
    getBusiness(db, id, now),
    historyOf(db, id, maxHistory),
    linkedRows(db, id),
    db.selectFrom('businesses').select('stated_license_number').where('id', '=', id).executeTakeFirstOrThrow(),
  ])
  const history = await toVerifications(db, rows)
  const last = history[0]
  const row = linked[0]
  return {
    shown: business.verification,
    hasVerifiedBadge: business.hasVerifiedBadge,
    pending: history.find(({ status }) => status === 'pending') ?? null,
    history,
    linked: linked.map(toRegisterLicense),
    suggestion: {
      licenseNumber: last?.licenseNumber ?? row?.license_number ?? stated.stated_license_number ?? '',
      state: last?.state ?? row?.state ?? business.state ?? '',
      licenseName: last?.licenseName ?? row?.business_name ?? business.name,
      businessType: last?.businessType ?? row?.business_type ?? business.type,
    },
  }
}
