import { Table2 } from 'lucide-react'
import { useId, useState } from 'react'
import type { Insights, Metric } from '../../../contracts/insights.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { FigureChange } from './figure-change.tsx'
import { changeOf, figureText, metricNames, shortFigure, stepText } from './figure-words.ts'
import { SeriesPlot } from './series-plot.tsx'

const shown: readonly Metric[] = ['page', 'call', 'directions', 'site']

/** The headline figures; the one that is chosen is plotted under them. */
export function FiguresCard({ insights }: { insights: Insights }) {
  const [metric, setMetric] = useState<Metric>('page')
  const [isTable, setTable] = useState(false)
  const name = useId()
  const { steps, by, series, totals } = insights
  const values = series.find((each) => each.metric === metric)?.values ?? []
  return (
    <Card asChild>
      <section aria-label="Visits">
        <fieldset className="grid grid-cols-2 border-line border-b sm:grid-cols-4">
          <legend className="sr-only">Which figure is plotted</legend>
          {shown.map((each) => {
            const total = totals.find((row) => row.metric === each)
            const value = total?.value ?? null
            return (
              <label
                key={each}
                className={cx(
                  'relative grid content-start gap-0.5 border-line p-4 transition-colors hover:bg-sunk/60 has-focus-visible:z-1 has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-focus sm:px-5',
                  'max-sm:odd:border-r max-sm:nth-[n+4]:border-t sm:not-last:border-r',
                  'after:absolute after:inset-x-0 after:bottom-0 after:h-0.5 has-checked:after:bg-leaf',
                )}
              >
                <input type="radio" name={name} className="sr-only" checked={metric === each} onChange={() => setMetric(each)} />
                <span className="text-muted text-sm">{metricNames[each]}</span>
                <span className="font-display text-2xl tabular-nums">
                  <span aria-hidden="true">{shortFigure(value)}</span>
                  <span className="sr-only">{figureText(value)}</span>
                </span>
                <FigureChange change={changeOf(value, total?.before ?? null)} />
              </label>
            )
          })}
        </fieldset>
        <div className="p-4 sm:p-5">
          <div className="mb-1 flex items-center justify-between gap-3">
            <h2 className="text-lg">{metricNames[metric]}</h2>
            <Button variant="quiet" size="sm" aria-pressed={isTable} onClick={() => setTable(!isTable)} className="aria-pressed:bg-sunk">
              <Table2 aria-hidden="true" />
              Table
            </Button>
          </div>
          {isTable ? (
            <FiguresTable insights={insights} />
          ) : (
            <SeriesPlot key={metric} name={metricNames[metric]} by={by} steps={steps} values={values} />
          )}
        </div>
      </section>
    </Card>
  )
}

const firstColumn = { day: 'Day', week: 'Week', month: 'Month' }

/** Every step with its figures, the newest first. */
function FiguresTable({ insights: { steps, by, series } }: { insights: Insights }) {
  const columns = shown.map((metric) => ({ metric, values: series.find((each) => each.metric === metric)?.values ?? [] }))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className="max-h-80 overflow-auto rounded-input border border-line" tabIndex={0} aria-label="Visits as a table">
      <table className="w-full text-sm tabular-nums">
        <thead className="sticky top-0 bg-sunk text-left">
          <tr>
            <th scope="col" className="px-3 py-2 font-medium">
              {firstColumn[by]}
            </th>
            {columns.map(({ metric }) => (
              <th key={metric} scope="col" className="px-3 py-2 text-right font-medium">
                {metricNames[metric]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {steps
            .map((step, i) => (
              <tr key={step} className="border-line border-t">
                <th scope="row" className="whitespace-nowrap px-3 py-2 text-left font-normal">
                  {stepText(step, by)}
                  {i === steps.length - 1 && <span className="text-muted"> (so far)</span>}
                </th>
                {columns.map(({ metric, values }) => (
                  <td key={metric} className="px-3 py-2 text-right">
                    {figureText(values[i] ?? null)}
                  </td>
                ))}
              </tr>
            ))
            .reverse()}
        </tbody>
      </table>
    </section>
  )
}
