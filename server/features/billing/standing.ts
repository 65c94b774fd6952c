import type { Standing } from '../../../contracts/billing.ts'
import { entitlementsOf } from '../../../contracts/entitlements.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { requirePermission } from '../team/index.ts'
import { planName } from './plans.ts'

/** @throws AppError not_found, forbidden */
export async function getBusinessStanding(db: Db, actor: Actor, idOrSlug: string, now: Date): Promise<Standing> {
  // Everybody on the team may keep the menu, and must know how long it may be.
  const business = await requirePermission(db, actor, idOrSlug, 'menu')
  return standingOf(await running(db, now).where('business_id', '=', business.id).execute(), now)
}

export async function getOwnStanding(db: Db, userId: string, now: Date): Promise<Standing> {
  const rows = await running(db, now).where('payer_id', '=', userId).where('business_id', 'is', null).execute()
  return standingOf(rows, now)
}

const running = (db: Db, now: Date) =>
  db
    .selectFrom('agreements')
    .select(['plan_id', 'status', 'paid_until', 'entitled_until'])
    .where('plan_id', 'is not', null)
    .where('entitled_until', '>', now)
    .orderBy('created_at')

type Row = { plan_id: string | null; status: string; paid_until: Date | null; entitled_until: Date | null }

function standingOf(rows: Row[], now: Date): Standing {
  const planIds = [...new Set(rows.flatMap((row) => row.plan_id ?? []))]
  const graces = rows
    .filter((row) => row.status === 'past_due' || (row.status === 'active' && row.paid_until && row.paid_until <= now))
    .flatMap((row) => row.entitled_until ?? [])
    .sort((a, b) => a.getTime() - b.getTime())
  return {
    planNames: planIds.map(planName),
    entitlements: [...entitlementsOf(planIds)],
    graceUntil: graces[0]?.toISOString() ?? null,
  }
}
