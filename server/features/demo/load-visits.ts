import { sql } from 'kysely'
import type { VisitKind, VisitSource } from '#contracts/insights.endpoints.ts'
import { newId } from '#server/kernel/ids.ts'
import { demoBusinesses } from './demo-businesses.ts'
import { daysBefore, type LoadContext, requireKey } from './loading.ts'

/** Businesses with a filled dashboard → page views on a typical day. */
export const visitedBusinesses: Readonly<Record<string, number>> = { lanternfold: 34, quietwater: 19, hourglass: 11 }

/** More than two periods of four weeks, so that each dashboard can compare with the previous period. */
export const visitedDays = 60

/** Traffic factors, Monday to Sunday. */
const weekdays = [0.8, 0.75, 0.85, 0.95, 1.35, 1.45, 0.9]
/** Visits of each kind per 100 page views. */
const activities: readonly [VisitKind, number][] = [
  ['page', 100],
  ['call', 6],
  ['directions', 11],
  ['site', 5],
  ['product', 85],
  ['post', 48],
]
/** Share of each source, in percent. */
const origins: readonly [VisitSource, number][] = [
  ['search', 38],
  ['map', 24],
  ['feed', 19],
  ['favorites', 8],
  ['share', 5],
  ['other', 6],
]

type Row = { at: Date; businessId: string; kind: VisitKind; source: VisitSource; subjectId: string | null; visitor: number }

/** Adds visits to the demo owner's businesses as the web app would have sent them, and the plan that includes the dashboard. */
export async function addVisits(loading: LoadContext): Promise<void> {
  const { tx } = loading
  for (const [key, usual] of Object.entries(visitedBusinesses)) {
    const businessId = requireKey(loading.businesses, key)
    const ids = async (table: 'products' | 'posts') =>
      (
        await tx.selectFrom(table).select('id').where('business_id', '=', businessId).orderBy('created_at', 'desc').orderBy('id').execute()
      ).map((row) => row.id)
    const rows = visitsTo(loading.now, businessId, usual, { product: await ids('products'), post: await ids('posts') })
    await sql`
      insert into visit_events (at, business_id, kind, source, subject_id, visitor)
      select * from unnest(
        ${rows.map(({ at }) => at.toISOString())}::timestamptz[], ${rows.map((row) => row.businessId)}::uuid[],
        ${rows.map(({ kind }) => kind)}::text[], ${rows.map(({ source }) => source)}::text[],
        ${rows.map(({ subjectId }) => subjectId)}::uuid[], ${rows.map(({ visitor }) => visitor)}::bigint[])`.execute(tx)
    await addAudience(loading, businessId)
    await addPlan(loading, key, businessId)
  }
}

function visitsTo(now: Date, businessId: string, usual: number, subjects: { product: string[]; post: string[] }): Row[] {
  const chance = chances(usual)
  const rows: Row[] = []
  for (let ago = visitedDays; ago >= 0; ago--) {
    const day = daysBefore(now, ago)
    const weekday = weekdays[(day.getUTCDay() + 6) % 7] as number
    const growth = 1.15 - (0.4 * ago) / visitedDays
    const visitors = Math.round(usual * weekday * growth * (0.8 + 0.4 * chance()))
    for (let visitor = 0; visitor < visitors; visitor++) {
      const source = oneOf(origins, chance())
      // 15:00 to 02:00 UTC is roughly daytime in the western United States.
      const at = new Date(day)
      at.setUTCHours(15, Math.floor(chance() * 11 * 60), 0, 0)
      if (at > now) continue
      for (const [kind, share] of activities) {
        if (chance() * 100 >= share) continue
        const among = kind === 'product' || kind === 'post' ? subjects[kind] : null
        if (among?.length === 0) continue
        // The first items of a list get the most views.
        const subjectId = among?.[Math.floor(chance() ** 1.7 * among.length)] ?? null
        rows.push({ at, businessId, kind, source, subjectId, visitor: ago * 1000 + visitor })
      }
    }
  }
  return rows
}

function oneOf<Item>(items: readonly [Item, number][], chance: number): Item {
  let left = chance * items.reduce((sum, [, share]) => sum + share, 0)
  for (const [item, share] of items) {
    left -= share
    if (left < 0) return item
  }
  return (items.at(-1) as [Item, number])[0]
}

/** Deterministic pseudorandom numbers from 0 to 1 (mulberry32). */
function chances(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Daily audience totals, derived from when today's followers, subscribers and favorites were added. */
const addAudience = ({ tx, now }: LoadContext, businessId: string) =>
  sql`
    insert into audience_days (business_id, day, followers, subscribers, saves)
    select ${businessId}::uuid, day::date,
      (select count(*) from business_follows where business_id = ${businessId}::uuid and created_at < day + interval '1 day'),
      (select count(*) from subscriptions where business_id = ${businessId}::uuid and created_at < day + interval '1 day'),
      (select count(*) from favorites where business_id = ${businessId}::uuid and created_at < day + interval '1 day')
    from generate_series(${daysBefore(now, visitedDays)}::timestamptz, ${daysBefore(now, 1)}::timestamptz, interval '1 day') as day`.execute(
    tx,
  )

/** Adds Business Tools for a year. No money changes hands, and the title marks it as a demo. */
export async function addPlan({ tx, now, people }: LoadContext, key: string, businessId: string): Promise<void> {
  const { owner, name } = demoBusinesses.find((business) => business.key === key) as (typeof demoBusinesses)[number]
  const end = daysBefore(now, -365)
  await tx
    .insertInto('agreements')
    .values({
      id: newId(),
      payer_id: requireKey(people, owner),
      plan_id: 'business_tools',
      business_id: businessId,
      provider: 'invoice',
      title: `Business Tools for ${name} (demo)`,
      amount_cents: 7500,
      currency: 'USD',
      status: 'active',
      entitled_until: end,
      paid_until: end,
      created_at: daysBefore(now, visitedDays),
    })
    .execute()
}
