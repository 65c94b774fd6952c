import { sql } from 'kysely'
import type { Parsed } from '#contracts/endpoint.ts'
import { IdOrSlugParams } from '#contracts/fields.ts'
import type { NextStep } from '#contracts/insights.endpoints.ts'
import { InsightQuery, type Insights, type Metric, maxRangeDays, metrics, visitSources } from '#contracts/insights.endpoints.ts'
import { addDays, dayMs, licenseDay } from '#contracts/time.ts'
import type { Db } from '#server/db/connect.ts'
import { businessEntitlements } from '#server/features/billing/index.ts'
import { maySeeProducts } from '#server/features/jurisdictions/index.ts'
import { unansweredReviews } from '#server/features/reviews/index.ts'
import { requirePermission, type TeamBusiness } from '#server/features/team/index.ts'
import { decisiveVerification } from '#server/features/verification/index.ts'
import { type Actor, ageOf } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { memberFile } from '#server/kernel/member-file.ts'
import type { Api } from '#server/kernel/route.ts'
import { localTime } from '#server/kernel/time-zones.ts'
import { type Day, daysFrom, stepOf, stepsBetween, timeZoneOf, yearStart } from './days.ts'
import { audienceNow, audienceOn, countedDays, lastCount, newByDay, partsOf, postTitles, productNames } from './insights.queries.ts'
import { type Counted, type Figure, inSteps, publish, stretchesOf, sumOf, total } from './published.ts'

type Ctx = Pick<Context, 'db' | 'clock'>
type Query = Parsed<typeof InsightQuery>

const tasteDays = 7
const maxShown = 10

export async function getInsights({ db, clock }: Ctx, actor: Pick<Actor, 'id' | 'birthday'>, idOrSlug: string, query: Query) {
  const business = await requirePermission(db, actor, idOrSlug, 'insights')
  const now = clock.now()
  const timeZone = await timeZoneOf(db, business.id)
  const today = localTime(timeZone, now).date
  if (await isUnlocked(db, business, now)) {
    const insights = await readInsights(db, business.id, timeZone, today, query, maySeeProducts(ageOf(actor, now), business))
    return { insights, taste: { pageViews: await taste(db, business.id, today) } }
  }
  return { insights: null, taste: { pageViews: await taste(db, business.id, today) } }
}

/** @throws AppError not_found, forbidden, payment_required, invalid_input about the period */
export async function getInsightTable({ db, clock }: Ctx, actor: Pick<Actor, 'id' | 'birthday'>, idOrSlug: string, query: Query) {
  const business = await requirePermission(db, actor, idOrSlug, 'insights')
  const now = clock.now()
  if (!(await isUnlocked(db, business, now)))
    throw new AppError('payment_required', { message: 'You need Business Tools to see these figures.' })
  const timeZone = await timeZoneOf(db, business.id)
  // The CSV lists no products, so don't load them.
  return { business, insights: await readInsights(db, business.id, timeZone, localTime(timeZone, now).date, query, false) }
}

const isUnlocked = async (db: Db, { id }: TeamBusiness, now: Date) => (await businessEntitlements(db, id, now)).has('insights')

async function taste(db: Db, businessId: string, today: Day): Promise<Figure> {
  const from = addDays(today, 1 - tasteDays)
  const counted = await countedDays(db, businessId, yearStart(from), today)
  return sumOf(publish(counted.get('page') ?? [], today), from, today)
}

function period(query: Query, today: Day): { from: Day; to: Day } {
  const to = query.to ?? addDays(today, -1)
  // Avoids five-digit years in JavaScript and the missing year 0 in PostgreSQL.
  if (to < '2000' || to >= '3000') throw new AppError('invalid_input', { fields: { to: 'Choose a day between 2000 and 2999' } })
  const from = query.from ?? addDays(to, 1 - query.days)
  const days = daysFrom(from, to) + 1
  if (days < 1) throw new AppError('invalid_input', { fields: { from: 'The first day is after the last one' } })
  if (days > maxRangeDays) throw new AppError('invalid_input', { fields: { from: `At most ${maxRangeDays} days at once` } })
  return { from, to }
}

/** `seesProducts`: the legal age applies to team members too. */
async function readInsights(
  db: Db,
  businessId: string,
  timeZone: string,
  today: Day,
  query: Query,
  seesProducts: boolean,
): Promise<Insights> {
  const { from, to } = period(query, today)
  const before = { from: addDays(from, -daysFrom(from, to) - 1), to: addDays(from, -1) }
  // An unfinished day can't be compared with whole ones.
  const isOver = to < today
  const last = isOver ? today : to
  // Figures combine groups of days, which start over every year: see published.ts.
  const start = yearStart(before.from)
  const [visits, additions, now, then, count] = await Promise.all([
    countedDays(db, businessId, start, last),
    newByDay(db, businessId, timeZone, start, last),
    audienceNow(db, businessId),
    audienceOn(db, businessId, before.to),
    lastCount(db),
  ])
  const counted = new Map<Metric, Counted[]>(visits)
  for (const { metric, day, count } of additions)
    counted.set(metric, [...(counted.get(metric) ?? []), { day, visits: count, visitors: count }])
  const figures = new Map(metrics.map((metric) => [metric, publish(counted.get(metric) ?? [], today)]))
  const figuresOf = (metric: Metric) => figures.get(metric) ?? new Map<Day, Figure>()

  const totals = metrics.map((metric) => ({
    metric,
    value: sumOf(figuresOf(metric), from, to),
    before: isOver ? sumOf(figuresOf(metric), before.from, before.to) : null,
    today: figuresOf(metric).get(today) ?? null,
  }))
  const steps = stepsBetween(from, to, query.by)
  const sumOfAll = (...of: Metric[]) => total(totals.filter(({ metric }) => of.includes(metric)).map(({ value }) => value))
  const parts = (part: 'source' | 'subject', kind: 'page' | 'post' | 'product') => {
    const stretches = stretchesOf(visits.get(kind) ?? [], today).filter(({ last }) => last >= from && last <= to)
    return partsOf(db, businessId, part, kind, stretches, maxShown)
  }
  const [sources, posts, products] = await Promise.all([
    parts('source', 'page'),
    parts('subject', 'post'),
    seesProducts ? parts('subject', 'product') : [],
  ])
  const keys = (rows: typeof posts) => rows.flatMap(({ key }) => key || [])
  const [titles, names] = await Promise.all([postTitles(db, businessId, keys(posts)), productNames(db, businessId, keys(products))])
  return {
    timeZone,
    from,
    to,
    by: query.by,
    countedAt: count.counted_at?.toISOString() ?? null,
    totals,
    steps,
    series: metrics.map((metric) => ({ metric, values: bySteps(figuresOf(metric), from, to, steps, query.by) })),
    audience: {
      followers: { now: now.followers, before: then?.followers ?? null },
      subscribers: { now: now.subscribers, before: then?.subscribers ?? null },
      // Favorites are private, so changes by a single person must not show.
      saves: { now: inSteps(now.saves), before: then ? inSteps(then.saves) : null },
    },
    funnel: [
      { step: 'views', value: sumOfAll('page') },
      { step: 'actions', value: sumOfAll('call', 'directions', 'site') },
      { step: 'follows', value: sumOfAll('follow', 'save') },
      { step: 'subscribers', value: sumOfAll('subscribe') },
    ],
    posts: named(posts, titles),
    products: named(products, names),
    sources: sources.map(({ key, visits }) => ({ source: visitSources.find((source) => source === key) ?? 'rest', views: visits })),
  }
}

function bySteps(figures: ReadonlyMap<Day, Figure>, from: Day, to: Day, steps: readonly Day[], by: Query['by']): Figure[] {
  const inStep = Map.groupBy(
    [...figures].filter(([day]) => day >= from && day <= to),
    ([day]) => stepOf(day, by),
  )
  // The first step may begin before the period does.
  return steps.map((step) => total((inStep.get(step) ?? []).map(([, figure]) => figure)))
}

/** Drops items deleted in the meantime, which have no name. */
function named(rows: readonly { key: string; visits: number }[], names: readonly { id: string; name: string }[]) {
  const nameOf = new Map(names.map(({ id, name }) => [id, name]))
  return rows.flatMap(({ key, visits }) => {
    const name = nameOf.get(key)
    return name === undefined ? [] : [{ id: key, name, views: visits }]
  })
}

const path = '/api/businesses/:id/insights.csv'

/** Routes under /api that aren't part of the contract. */
export const insightRoutes: readonly string[] = [`GET ${path}`]

const columnNames: Record<Metric, string> = {
  page: 'Page views',
  call: 'Calls',
  directions: 'Directions',
  site: 'Website clicks',
  product: 'Product views',
  post: 'Post views',
  follow: 'New followers',
  save: 'New favorites',
  subscribe: 'New subscribers',
}

export const addInsightsCsv = (api: Api): void =>
  memberFile(api, {
    path,
    params: IdOrSlugParams,
    query: InsightQuery,
    rateLimit: 'read',
    async file({ ctx, actor, params, query }) {
      const { business, insights } = await getInsightTable(ctx, actor, params.id, query)
      return {
        name: `${business.slug}-${insights.from}-to-${insights.to}.csv`,
        type: 'text/csv; charset=utf-8',
        body: csvOf(insights),
      }
    },
  })

/**
 * One line per step, one column per metric (RFC 4180). Every cell is a date, a number or fixed text, so a spreadsheet can't interpret any
 * of them as a formula.
 */
export function csvOf({ from, by, steps, series }: Pick<Insights, 'from' | 'by' | 'steps' | 'series'>): string {
  const lines = [
    [by === 'day' ? 'Day' : 'From', ...metrics.map((metric) => columnNames[metric])],
    // The first step may begin before the period does.
    ...steps.map((step, i) => [
      step < from ? from : step,
      ...metrics.map((metric) => cell(series.find((each) => each.metric === metric)?.values[i])),
    ]),
  ]
  return `${lines.map((line) => line.join(',')).join('\r\n')}\r\n`
}

const cell = (figure: number | null | undefined) => (figure === null || figure === undefined ? 'fewer than 5' : String(figure))

/** Days after which a menu needs to be checked, and a page counts as quiet. */
const oldMenuDays = 8
const quietDays = 21
/** Days before expiry at which a license needs a reminder. */
const warnedDays = 20

type Facts = {
  items: number
  old_items: number
  unanswered: number
  /** Status of the verified request for a license, or else of the last one; null if there was none. */
  license: 'pending' | 'verified' | 'rejected' | 'withdrawn' | 'superseded' | 'expired' | 'revoked' | 'unproven' | null
  /** The request is waiting for a code or a document, not for a moderator. */
  needs_proof: boolean
  expires_on: string | null
  is_demo: boolean
  is_described: boolean
  has_hours: boolean
  has_posts: boolean
  has_recent_posts: boolean
  has_scheduled_posts: boolean
}

export async function listNextSteps({ db, clock }: Pick<Context, 'db' | 'clock'>, actor: Actor, idOrSlug: string): Promise<NextStep[]> {
  const business = await requirePermission(db, actor, idOrSlug, 'insights')
  const now = clock.now()
  return stepsFor(await facts(db, business.id, now), now)
}

function stepsFor(facts: Facts, now: Date): NextStep[] {
  const isVerified = facts.license === 'verified'
  const left = isVerified && facts.expires_on !== null ? daysFrom(licenseDay(now), facts.expires_on) : null
  const isExpired = facts.license === 'expired' || (left !== null && left < 0)
  // Demo businesses need no license, and a request with its document is waiting for moderators.
  const isWithUs = facts.license === 'pending' && !facts.needs_proof
  const lacksLicense = !isVerified && !isExpired && !isWithUs && !facts.is_demo
  const steps: (NextStep | false)[] = [
    isExpired && { kind: 'license_expired', count: null },
    left !== null && left >= 0 && left <= warnedDays && { kind: 'license_expires', count: left },
    lacksLicense && { kind: 'no_license', count: null },
    facts.items === 0 && { kind: 'no_menu', count: null },
    facts.old_items > 0 && { kind: 'old_menu', count: facts.old_items },
    facts.unanswered > 0 && { kind: 'reviews', count: facts.unanswered },
    !facts.is_described && { kind: 'no_description', count: null },
    !facts.has_hours && { kind: 'no_hours', count: null },
    !facts.has_recent_posts && !facts.has_scheduled_posts && { kind: facts.has_posts ? 'no_recent_posts' : 'no_posts', count: null },
  ]
  return steps.filter((step) => step !== false)
}

async function facts(db: Db, businessId: string, now: Date): Promise<Facts> {
  const daysAgo = (days: number) => sql`${new Date(now.getTime() - days * dayMs)}::timestamptz`
  const id = sql`${businessId}::uuid`
  const { rows } = await sql<Facts>`
    select
      (select count(*) from products where business_id = ${id}) as items,
      (select count(*) from products where business_id = ${id} and confirmed_at < ${daysAgo(oldMenuDays)}) as old_items,
      ${unansweredReviews} as unanswered,
      verification.status as license,
      coalesce(verification.status = 'pending' and verification.document_id is null, false) as needs_proof,
      verification.expires_on,
      businesses.is_demo,
      coalesce(businesses.description, '') <> '' as is_described,
      exists (select from locations where business_id = ${id} and has_hours) as has_hours,
      exists (select from posts where business_id = ${id} and moderation is null) as has_posts,
      exists (select from posts where business_id = ${id} and moderation is null and created_at > ${daysAgo(quietDays)}) as has_recent_posts,
      exists (select from post_drafts where business_id = ${id} and status = 'scheduled') as has_scheduled_posts
    from businesses
    left join lateral (${decisiveVerification}) as verification on true
    where businesses.id = ${id}`.execute(db)
  return rows[0] as Facts
}
