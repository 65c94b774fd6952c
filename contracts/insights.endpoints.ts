import { endpoint } from './endpoint.ts'
import { Id, IdOrSlugParams, wholeNumber } from './fields.ts'
import { maxVisitsPerRequest } from './limits.ts'
import * as z from './zod.ts'

export const visitKinds = ['page', 'call', 'directions', 'site', 'product', 'post'] as const
export const VisitKind = z.enum(visitKinds)
export type VisitKind = z.infer<typeof VisitKind>

export const visitSources = ['search', 'map', 'feed', 'favorites', 'share', 'embed', 'other'] as const
export const VisitSource = z.enum(visitSources)
export type VisitSource = z.infer<typeof VisitSource>

export const metrics = [...visitKinds, 'follow', 'save', 'subscribe'] as const
export const Metric = z.enum(metrics)
export type Metric = z.infer<typeof Metric>

const Day = z.iso.date()
export const InsightStep = z.enum(['day', 'week', 'month'])
export type InsightStep = z.infer<typeof InsightStep>

/** In days, inclusive. */
export const maxRangeDays = 400

export const InsightQuery = z.object({
  /** Days in the business's time zone. Without `from`, the range is the last `days` days up to `to`, which defaults to yesterday. */
  from: z.optional(Day),
  to: z.optional(Day),
  days: z._default(wholeNumber(1, maxRangeDays), 28),
  by: z._default(InsightStep, 'day'),
})

/** Null for fewer than five people, who are added to the following days until there are at least five. */
const Figure = z.nullable(z.int())

const Shown = z.object({ id: Id, name: z.string(), views: z.int() })

export const Insights = z.object({
  timeZone: z.string(),
  from: Day,
  to: Day,
  by: InsightStep,
  /** Counts visits up to this time; null if none have been counted yet. */
  countedAt: z.nullable(z.iso.datetime()),
  /**
   * `before` covers the preceding period of the same length. It is also null if the period includes today, which isn't over yet.
   * `today` is today's figure so far, rounded down to a multiple of five.
   */
  totals: z.array(z.object({ metric: Metric, value: Figure, before: Figure, today: Figure })),
  /**
   * The first day of each step, which is a day, a week (starting Monday) or a month. Every series has one figure per step. The figures of
   * the first and last steps cover only their days within the period.
   */
  steps: z.array(Day),
  series: z.array(z.object({ metric: Metric, values: z.array(Figure) })),
  /** `before` is at the start of the period, or null if not recorded. Favorites (`saves`) are rounded down to multiples of five. */
  audience: z.object({
    followers: z.object({ now: z.int(), before: z.nullable(z.int()) }),
    subscribers: z.object({ now: z.int(), before: z.nullable(z.int()) }),
    saves: z.object({ now: Figure, before: Figure }),
  }),
  funnel: z.array(z.object({ step: z.enum(['views', 'actions', 'follows', 'subscribers']), value: Figure })),
  posts: z.array(Shown),
  products: z.array(Shown),
  /** Page views by source. `rest` combines sources too small to show. */
  sources: z.array(z.object({ source: z.enum([...visitSources, 'rest']), views: z.int() })),
})
export type Insights = z.infer<typeof Insights>

export const InsightsOrTaste = z.object({
  /** Null if the business lacks the entitlement. */
  insights: z.nullable(Insights),
  /** Page views in the last 7 days, including today, available without the entitlement. */
  taste: z.object({ pageViews: Figure }),
})

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
    'no_recent_posts',
  ]),
  /** The number of outdated items, of unanswered reviews, or of days until the license expires. */
  count: z.nullable(z.int()),
})
export type NextStep = z.infer<typeof NextStep>

export const recordVisits = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/visits',
  summary:
    'Count visits to a business without storing who made them. Skips its own team, bots, prefetched pages, people who block it and repeats within half an hour.',
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
            subject: z.optional(Id),
          })
          .check(
            z.refine(({ kind, subject }) => (kind === 'product' || kind === 'post') === Boolean(subject), 'Choose a product or a post'),
          ),
      )
      .check(z.minLength(1), z.maxLength(maxVisitsPerRequest, `At most ${maxVisitsPerRequest} at once`)),
  }),
})

export const getInsights = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/insights',
  summary:
    "Read a business's figures (owner and managers only). Never shows a person or a group of fewer than five. Without the `insights` entitlement, shows only page views from the last 7 days.",
  tag: 'Insights',
  access: 'member',
  params: IdOrSlugParams,
  query: InsightQuery,
  response: InsightsOrTaste,
})

export const listNextSteps = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/next-steps',
  summary: 'List suggestions for a business, based on its data, on every plan (owner and managers only)',
  tag: 'Insights',
  access: 'member',
  params: IdOrSlugParams,
  response: z.array(NextStep),
})
