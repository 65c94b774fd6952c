import { endpoint } from './endpoint.ts'
import { Id, IdOrSlugParams } from './fields.ts'
import { Figure, InsightQuery, Insights, NextStep, VisitKind, VisitSource } from './insights.ts'
import { maxVisitsPerRequest } from './limits.ts'
import * as z from './zod.ts'

export const recordVisits = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/visits',
  summary:
    'Count visits to a business without storing who made them. Skips its own team, bots, prefetched pages, people who block it, and repeats within half an hour.',
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
            /** Id of the product or post. */
            subject: z.optional(Id),
          })
          .check(z.refine(({ kind, subject }) => (kind === 'product' || kind === 'post') === Boolean(subject), 'Name a product or a post')),
      )
      .check(z.minLength(1), z.maxLength(maxVisitsPerRequest, `At most ${maxVisitsPerRequest} at once`)),
  }),
})

export const getInsights = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/insights',
  summary:
    "Read a business's figures, for its owner and managers. Shows no person and no group under five; without the entitlement `insights`, only page views of the last 7 days.",
  tag: 'Insights',
  access: 'member',
  params: IdOrSlugParams,
  query: InsightQuery,
  response: z.object({
    /** Null without the entitlement. */
    insights: z.nullable(Insights),
    /** Page views of the last 7 days, available without the entitlement. */
    taste: z.object({ pageViews: Figure }),
  }),
})

export const listNextSteps = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/next-steps',
  summary: 'List suggestions for a business, found in its own data; on every plan',
  tag: 'Insights',
  access: 'member',
  params: IdOrSlugParams,
  response: z.array(NextStep),
})
