import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, IdOrSlugParams } from './ids.ts'
import { wholeNumber } from './pagination.ts'

/** What is counted of a visit to a business. */
export const visitKinds = ['page', 'call', 'directions', 'site', 'product', 'post'] as const
export const VisitKind = z.enum(visitKinds)
export type VisitKind = z.infer<typeof VisitKind>

/** Where a visit came from. */
export const visitSources = ['search', 'map', 'feed', 'favorites', 'share', 'embed', 'other'] as const
export const VisitSource = z.enum(visitSources)
export type VisitSource = z.infer<typeof VisitSource>

export const mostVisitsAtOnce = 50

export const recordVisits = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/visits',
  summary:
    'Count visits to a business, without keeping who made them. Not counted: its own team, programs, pages loaded ahead of a click, those who block it, and the same again within half an hour',
  tag: 'Insights',
  access: 'public',
  rateLimit: 'visit',
  params: IdOrSlugParams,
  body: z.object({
    source: z._default(VisitSource, 'other'),
    visits: z
      .array(
        z
          .object({
            kind: VisitKind,
            /** The product or the post. */
            subject: z.optional(Id),
          })
          .check(z.refine(({ kind, subject }) => (kind === 'product' || kind === 'post') === Boolean(subject), 'Name a product or a post')),
      )
      .check(z.minLength(1), z.maxLength(mostVisitsAtOnce, `At most ${mostVisitsAtOnce} at once`)),
  }),
})

/** Fewer people than this are not shown as a figure of their own. */
export const smallestGroup = 5

export const metrics = [...visitKinds, 'follow', 'save', 'subscribe'] as const
export const Metric = z.enum(metrics)
export type Metric = z.infer<typeof Metric>

const Day = z.iso.date()
export const InsightStep = z.enum(['day', 'week', 'month'])
export type InsightStep = z.infer<typeof InsightStep>

/** In days, both ends counted. */
export const longestRange = 400

export const InsightQuery = z.object({
  /** Days of the business's own time zone. Left out: the last `days` up to `to`, and today. */
  from: z.optional(Day),
  to: z.optional(Day),
  days: z._default(wholeNumber(1, longestRange), 28),
  by: z._default(InsightStep, 'day'),
})

/** Null: fewer than five people, who are counted on the next day on which there are enough of them. */
const Figure = z.nullable(z.int())

const Shown = z.object({ id: Id, name: z.string(), views: z.int() })

export const Insights = z.object({
  timeZone: z.string(),
  from: Day,
  to: Day,
  by: InsightStep,
  /** Until when visits are counted here; null while nothing has been counted yet. */
  countedAt: z.nullable(z.iso.datetime()),
  /** The period before is as long as the one asked for, and ends the day before it begins. */
  totals: z.array(z.object({ metric: Metric, value: Figure, before: Figure })),
  /** The first days of the days, weeks (from Monday) or months, and one figure for each. */
  steps: z.array(Day),
  series: z.array(z.object({ metric: Metric, values: z.array(Figure) })),
  /** As they are now; `before`: at the beginning of the period, null where that was not written down. Saves: in steps of five. */
  audience: z.object({
    followers: z.object({ now: z.int(), before: z.nullable(z.int()) }),
    subscribers: z.object({ now: z.int(), before: z.nullable(z.int()) }),
    saves: z.object({ now: Figure, before: Figure }),
  }),
  funnel: z.array(z.object({ step: z.enum(['views', 'actions', 'follows', 'subscribers']), value: Figure })),
  posts: z.array(Shown),
  products: z.array(Shown),
  /** Page views by where they came from; `rest` are sources that are too small to be named. */
  sources: z.array(z.object({ source: z.enum([...visitSources, 'rest']), views: z.int() })),
})
export type Insights = z.infer<typeof Insights>

export const getInsights = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/insights',
  summary:
    'What a business brings, for its owner and managers; shows no person and no group under five. Without the entitlement `insights`: page views of the last 7 days alone',
  tag: 'Insights',
  access: 'member',
  params: IdOrSlugParams,
  query: InsightQuery,
  response: z.object({
    /** Null without the entitlement. */
    insights: z.nullable(Insights),
    /** The last 7 days' page views, for everybody who may ask. */
    taste: z.object({ pageViews: Figure }),
  }),
})

/** Something worth doing today, found in the business's own data. */
export const NextStep = z.object({
  kind: z.enum([
    'no_menu',
    'old_menu',
    'reviews',
    'no_license',
    'license_expires',
    'license_expired',
    'no_description',
    'no_hours',
    'no_posts',
  ]),
  /** Items that are old, reviews without an answer, days until the license expires. */
  count: z.nullable(z.int()),
})
export type NextStep = z.infer<typeof NextStep>

export const listNextSteps = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/next-steps',
  summary: 'What is worth doing next for a business: found in its own data, on every plan',
  tag: 'Insights',
  access: 'member',
  params: IdOrSlugParams,
  response: z.array(NextStep),
})
