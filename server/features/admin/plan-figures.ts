import { sql } from 'kysely'
import type { PlanFigures } from '../../../contracts/admin.ts'
import { businessPlans, businessToolsPlan } from '../../../contracts/business-plans.ts'
import type { Currency } from '../../../contracts/money.ts'
import { memberPlans } from '../../../contracts/plans.ts'
import type { Db } from '../../db/connect.ts'
import type { Context } from '../../kernel/context.ts'

const month = 30 * 86_400_000

type Row = { plan_id: string | null; currency: Currency; active: number; past_due: number; ending: number; cents: number }

/** Read from the agreements as they are: what the provider has confirmed. Those of the demo are nobody's. */
export async function getPlanFigures({ db, clock }: Context): Promise<PlanFigures> {
  const now = clock.now()
  const rows = await agreements(db, now)
  const of = (planId: string | null) => {
    const mine = rows.filter((row) => row.plan_id === planId)
    const sum = (count: (row: Row) => number) => mine.reduce((total, row) => total + count(row), 0)
    const monthly = mine.filter(({ cents }) => cents > 0).map(({ currency, cents }) => ({ currency, cents }))
    return { active: sum((row) => row.active), pastDue: sum((row) => row.past_due), ending: sum((row) => row.ending), monthly }
  }
  const offered = [
    ...memberPlans.map((plan) => ({ ...plan, audience: 'person' as const })),
    ...[...businessPlans, businessToolsPlan].map((plan) => ({ ...plan, audience: 'business' as const })),
  ]
  return {
    plans: offered.map(({ id, name, audience, monthlyCents }) => ({ id, name, audience, monthlyCents, ...of(id) })),
    subscriptions: of(null),
    received: await received(db, new Date(now.getTime() - month)),
  }
}

async function agreements(db: Db, now: Date): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select plan_id, currency, count(*) filter (where status = 'active')::int as active,
      count(*) filter (where status = 'past_due')::int as past_due,
      count(*) filter (where status in ('canceled', 'ended') and entitled_until > ${now})::int as ending,
      coalesce(sum(amount_cents) filter (where status in ('active', 'past_due')), 0)::float8 as cents
    from agreements where status <> 'pending' and (plan_id is not null or subscribe_to is not null)
      and not exists (select from businesses where businesses.id = agreements.business_id and is_demo)
      and not exists (select from users where users.id = agreements.payer_id and is_demo)
    group by plan_id, currency order by currency`.execute(db)
  return rows
}

async function received(db: Db, since: Date): Promise<PlanFigures['received']> {
  const { rows } = await sql<{ currency: Currency; cents: number }>`
    select currency, sum(amount_cents - refunded_cents)::float8 as cents from payments
    where status <> 'failed' and paid_at >= ${since} and not exists (
      select from agreements join users on users.id = agreements.payer_id where agreements.id = payments.agreement_id and is_demo)
    group by currency order by currency`.execute(db)
  return rows
}
