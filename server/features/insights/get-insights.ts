import type { Parsed } from '../../../contracts/endpoint.ts'
import { type InsightQuery, type Insights, longestRange, type Metric, metrics, visitSources } from '../../../contracts/insights.ts'
import type { Db } from '../../db/connect.ts'
import { type Actor, ageOf } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { businessEntitlements } from '../billing/index.ts'
import { maySeeProducts } from '../jurisdictions/index.ts'
import { requirePermission, type TeamBusiness } from '../team/index.ts'
import { audienceNow, audienceOn, newByDay } from './audience.ts'
import { addDays, type Day, dayIn, daysFrom, stepOf, stepsBetween, yearStart } from './days.ts'
import { countedDays, lastCount, partsOf, postTitles, productNames } from './insights.queries.ts'
import { type Counted, type Figure, inSteps, publish, stretchesOf, sumOf, total } from './published.ts'
import { timeZoneOf } from './time-zones.ts'

type Ctx = Pick<Context, 'db' | 'clock'>
type Query = Parsed<typeof InsightQuery>

const tasteDays = 7
const mostShown = 10

/** @throws AppError not_found, forbidden, invalid_input */
export async function getInsights({ db, clock }: Ctx, actor: Pick<Actor, 'id' | 'birthday'>, idOrSlug: string, query: Query) {
  const business = await requirePermission(db, actor, idOrSlug, 'insights')
  const now = clock.now()
  const timeZone = await timeZoneOf(db, business.id)
  const today = dayIn(timeZone, now)
  if (await isUnlocked(db, business, now)) {
    const insights = await readInsights(db, business.id, timeZone, today, query, maySeeProducts(ageOf(actor, now), business))
    return { insights, taste: { pageViews: await taste(db, business.id, today) } }
  }
  return { insights: null, taste: { pageViews: await taste(db, business.id, today) } }
}

/** What the table of a period holds. @throws AppError as above, and payment_required */
export async function getInsightTable({ db, clock }: Ctx, actor: Pick<Actor, 'id' | 'birthday'>, idOrSlug: string, query: Query) {
  const business = await requirePermission(db, actor, idOrSlug, 'insights')
  const now = clock.now()
  if (!(await isUnlocked(db, business, now))) throw new AppError('payment_required', { message: 'Business Tools unlock the figures.' })
  const timeZone = await timeZoneOf(db, business.id)
  // No product is in the table.
  return { business, insights: await readInsights(db, business.id, timeZone, dayIn(timeZone, now), query, false) }
}

const isUnlocked = async (db: Db, { id }: TeamBusiness, now: Date) => (await businessEntitlements(db, id, now)).has('insights')

async function taste(db: Db, businessId: string, today: Day): Promise<Figure> {
  const from = addDays(today, 1 - tasteDays)
  const counted = await countedDays(db, businessId, yearStart(from), today)
  return sumOf(publish(counted.get('page') ?? [], today), from, today)
}

function period(query: Query, today: Day): { from: Day; to: Day } {
  const to = query.to ?? today
  // Other calendars begin and end there: JavaScript's dates of five digits, and PostgreSQL's without a year 0.
  if (to < '2000' || to >= '3000') throw new AppError('invalid_input', { fields: { to: 'Choose a day of our time' } })
  const from = query.from ?? addDays(to, 1 - query.days)
  const days = daysFrom(from, to) + 1
  if (days < 1) throw new AppError('invalid_input', { fields: { from: 'The first day is after the last one' } })
  if (days > longestRange) throw new AppError('invalid_input', { fields: { from: `At most ${longestRange} days at once` } })
  return { from, to }
}

/** `seesProducts`: the law's age holds for those who run a business as well. */
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
  // Figures are made of groups of days, and those of a year begin with it: see published.ts.
  const start = yearStart(before.from)
  const [visits, additions, now, then, count] = await Promise.all([
    countedDays(db, businessId, start, to),
    newByDay(db, businessId, timeZone, start, to),
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
    before: sumOf(figuresOf(metric), before.from, before.to),
  }))
  const steps = stepsBetween(from, to, query.by)
  const sumOfAll = (...of: Metric[]) => total(totals.filter(({ metric }) => of.includes(metric)).map(({ value }) => value))
  const parts = (part: 'source' | 'subject', kind: 'page' | 'post' | 'product') => {
    const stretches = stretchesOf(visits.get(kind) ?? [], today).filter(({ last }) => last >= from && last <= to)
    return partsOf(db, businessId, part, kind, stretches, mostShown)
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
      // Who saves what is nobody's business, so single ones do not show.
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

/** What was removed since has no name, and is not in the list. */
function named(rows: readonly { key: string; visits: number }[], names: readonly { id: string; name: string }[]) {
  const nameOf = new Map(names.map(({ id, name }) => [id, name]))
  return rows.flatMap(({ key, visits }) => {
    const name = nameOf.get(key)
    return name === undefined ? [] : [{ id: key, name, views: visits }]
  })
}
