import { sql } from 'kysely'
import type { NextStep } from '../../../contracts/insights.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { requirePermission } from '../team/index.ts'
import { daysFrom, utcDay } from './days.ts'

/** After this many days a menu wants to be looked at again, and a page hears nothing new. */
const oldMenuDays = 8
const quietDays = 21
/** So many days ahead a license that runs out is worth a word. */
const warnedDays = 20

type Facts = {
  items: number
  old_items: number
  unanswered: number
  has_hours: boolean
  expires_on: string | null
  has_posts: boolean
}

/** The most pressing first. @throws AppError not_found, forbidden */
export async function listNextSteps({ db, clock }: Pick<Context, 'db' | 'clock'>, actor: Actor, idOrSlug: string): Promise<NextStep[]> {
  const business = await requirePermission(db, actor, idOrSlug, 'insights')
  const now = clock.now()
  return stepsFor(await facts(db, business.id, now), now)
}

export function stepsFor(facts: Facts, now: Date): NextStep[] {
  const left = facts.expires_on === null ? null : daysFrom(utcDay(now), facts.expires_on)
  const steps: (NextStep | false)[] = [
    left !== null && left < 0 && { kind: 'license_expired', count: null },
    left !== null && left >= 0 && left <= warnedDays && { kind: 'license_expires', count: left },
    facts.items === 0 && { kind: 'no_menu', count: null },
    facts.old_items > 0 && { kind: 'old_menu', count: facts.old_items },
    facts.unanswered > 0 && { kind: 'reviews', count: facts.unanswered },
    !facts.has_hours && { kind: 'no_hours', count: null },
    !facts.has_posts && { kind: 'no_posts', count: null },
  ]
  return steps.filter((step) => step !== false)
}

async function facts(db: Db, businessId: string, now: Date): Promise<Facts> {
  const daysAgo = (days: number) => sql`${new Date(now.getTime() - days * 86_400_000)}::timestamptz`
  const id = sql`${businessId}::uuid`
  const { rows } = await sql<Facts>`
    select
      (select count(*) from products where business_id = ${id}) as items,
      (select count(*) from products where business_id = ${id} and confirmed_at < ${daysAgo(oldMenuDays)}) as old_items,
      (select count(*) from reviews where business_id = ${id} and review is not null and reply is null) as unanswered,
      exists (select from locations where business_id = ${id} and has_hours) as has_hours,
      -- Of several licenses the one that holds longest.
      (select max(expires_on) from licenses where business_id = ${id}) as expires_on,
      exists (select from posts where business_id = ${id} and created_at > ${daysAgo(quietDays)}) as has_posts`.execute(db)
  return rows[0] as Facts
}
