import { IdOrSlugParams } from '../../../contracts/ids.ts'
import { InsightQuery, type Insights, type Metric, metrics } from '../../../contracts/insights.ts'
import { memberFile } from '../../kernel/member-file.ts'
import type { Api } from '../../kernel/route.ts'
import { getInsightTable } from './get-insights.ts'

const path = '/api/businesses/:id/insights.csv'

/** Routes under /api that are no declared calls. */
export const insightRoutes: readonly string[] = [`GET ${path}`]

const columnNames: Record<Metric, string> = {
  page: 'Page views',
  call: 'Calls',
  directions: 'Directions',
  site: 'Website clicks',
  product: 'Product views',
  post: 'Post views',
  follow: 'New followers',
  save: 'New saves',
  subscribe: 'New subscribers',
}

/** The table of a period as a file that a browser saves. */
export const addInsightsCsv = (api: Api): void =>
  memberFile(api, {
    path,
    params: IdOrSlugParams,
    query: InsightQuery,
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
 * One line a step, one column a figure (RFC 4180). Every cell is a date, a number or words of ours, so that none is a formula to a
 * spreadsheet.
 */
export function csvOf({ by, steps, series }: Pick<Insights, 'by' | 'steps' | 'series'>): string {
  const first = { day: 'Day', week: 'Week from', month: 'Month from' }[by]
  const lines = [
    [first, ...metrics.map((metric) => columnNames[metric])],
    ...steps.map((step, i) => [step, ...metrics.map((metric) => cell(series.find((each) => each.metric === metric)?.values[i]))]),
  ]
  return `${lines.map((line) => line.join(',')).join('\r\n')}\r\n`
}

const cell = (figure: number | null | undefined) => (figure === null || figure === undefined ? 'fewer than 5' : String(figure))
