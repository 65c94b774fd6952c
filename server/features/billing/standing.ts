import type { Standing } from '../../../contracts/billing.ts'
import { type Entitlement, entitlementsOf } from '../../../contracts/entitlements.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { requirePermission } from '../team/index.ts'
import { type AgreementRow, endOf } from './agreements.queries.ts'
import { plansFor, unlockedFor } from './entitlements.ts'
import { planName } from './plans.ts'

/** @throws AppError not_found, forbidden */
export async function getBusinessStanding(db: Db, actor: Actor, idOrSlug: string, now: Date): Promise<Standing> {
  // Everybody on the team may keep the menu, and must know how long it may be.
  const business = await requirePermission(db, actor, idOrSlug, 'menu')
  const rows = await plansFor(db, business.id, now)
  return standingOf(rows, unlockedFor(rows), now)
}

export async function getOwnStanding(db: Db, userId: string, now: Date): Promise<Standing> {
  const rows = await db
    .selectFrom('agreements')
    .select(['plan_id', 'status', 'paid_until', 'entitled_until'])
    .where('payer_id', '=', userId)
    .where('business_id', 'is', null)
    .where('plan_id', 'is not', null)
    .where('entitled_until', '>', now)
    .orderBy('created_at')
    .execute()
  return standingOf(rows, entitlementsOf(rows.flatMap((row) => row.plan_id ?? [])), now)
}

type Row = Pick<AgreementRow, 'plan_id' | 'status' | 'paid_until' | 'entitled_until'>

function standingOf(rows: Row[], unlocked: ReadonlySet<Entitlement>, now: Date): Standing {
  const planIds = [...new Set(rows.flatMap((row) => row.plan_id ?? []))]
  const graces = rows
    .filter((row) => row.status === 'past_due' || (row.status === 'active' && row.paid_until && row.paid_until <= now))
    .flatMap((row) => row.entitled_until ?? [])
    .sort((a, b) => a.getTime() - b.getTime())
  return {
    plans: planIds.map((id) => ({
      id,
      name: planName(id),
      endsAt: endOf(rows.filter((row) => row.plan_id === id))?.toISOString() ?? null,
    })),
    entitlements: [...unlocked],
    graceUntil: graces[0]?.toISOString() ?? null,
  }
}
