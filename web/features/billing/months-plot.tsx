import { useState } from 'react'
import type { SubscriptionReport } from '../../../contracts/billing.ts'
import { formatNumber } from '../../lib/format.ts'
import { Card, CardBody } from '../../ui/card.tsx'
import { Chip } from '../../ui/chip.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { moneyText } from './agreement-words.ts'
import { amountOf, barHeights, churnText, type Measure, measures, monthName, shortMonth } from './month-words.ts'

type MonthsPlotProps = { months: SubscriptionReport['months']; currency: string }

/** The last twelve months as bars, and as a table. */
export function MonthsPlot({ months, currency }: MonthsPlotProps) {
  const [measure, setMeasure] = useState<Measure>('subscribers')
  const heights = barHeights(months, measure)
  const text = (month: MonthsPlotProps['months'][number]) =>
    measure === 'revenue' ? moneyText({ amount: month.revenue, currency }) : formatNumber(amountOf(month, measure))
  return (
    <Card asChild>
      <section aria-labelledby="months">
        <CardBody>
          <div className="flex flex-wrap items-center justify-between gap-3">
            <h2 id="months" className="text-lg">
              The last 12 months
            </h2>
            <fieldset className="flex flex-wrap gap-1.5">
              <legend className="sr-only">What the bars show</legend>
              {Object.entries(measures).map(([key, name]) => (
                <Chip key={key} pressed={key === measure} onClick={() => setMeasure(key as Measure)}>
                  {name}
                </Chip>
              ))}
            </fieldset>
          </div>
          {heights.every((height) => height === 0) && <p className="mt-6 -mb-6 text-muted text-sm">Nothing to show in these months yet.</p>}
          {/* Everything of it stands in the table, too. */}
          <div aria-hidden="true" className="mt-6 flex h-48 items-stretch gap-1 border-line border-b sm:gap-2">
            {months.map((month, index) => (
              <div
                key={month.month}
                title={`${monthName(month.month)}: ${text(month)}`}
                className="group flex min-w-0 flex-1 flex-col justify-end"
              >
                {heights[index] !== 0 && (
                  <span className="text-center text-muted text-xs whitespace-nowrap tabular-nums max-sm:hidden">{text(month)}</span>
                )}
                <div
                  className="mt-1 rounded-t-tag bg-leaf/80 transition-[height] group-last:bg-leaf group-hover:bg-leaf-strong"
                  style={{ height: `${(heights[index] ?? 0) * 0.86}%` }}
                />
              </div>
            ))}
          </div>
          <div aria-hidden="true" className="mt-1.5 flex gap-1 sm:gap-2">
            {months.map(({ month }, index) => (
              <span
                key={month}
                className={`flex min-w-0 flex-1 justify-center text-muted text-xs whitespace-nowrap ${(months.length - 1 - index) % 3 === 0 ? '' : 'max-sm:invisible'}`}
              >
                {shortMonth(month)}
              </span>
            ))}
          </div>
          <details className="mt-4">
            <summary className={`${textLink} inline-block cursor-pointer py-1 text-sm`}>As a table</summary>
            <Table months={months} currency={currency} />
          </details>
        </CardBody>
      </section>
    </Card>
  )
}

function Table({ months, currency }: MonthsPlotProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by the keyboard
    <section aria-label="The last 12 months as a table" tabIndex={0} className="mt-3 overflow-x-auto">
      <table className="w-full text-right text-sm tabular-nums">
        <thead className="text-muted">
          <tr className="border-line border-b [&>th]:px-2 [&>th]:py-2 [&>th]:font-medium">
            <th scope="col" className="text-left">
              Month
            </th>
            <th scope="col">Subscribers</th>
            <th scope="col">New</th>
            <th scope="col">Ended</th>
            <th scope="col">Churn</th>
            <th scope="col">Revenue</th>
          </tr>
        </thead>
        <tbody>
          {months.toReversed().map(({ month, subscribers, began, ended, churn, revenue }) => (
            <tr key={month} className="border-line border-b last:border-0 [&>td]:px-2 [&>td]:py-2">
              <th scope="row" className="px-2 py-2 text-left font-normal whitespace-nowrap">
                {monthName(month)}
              </th>
              <td>{subscribers}</td>
              <td>{began}</td>
              <td>{ended}</td>
              <td>{churnText(churn)}</td>
              <td>{moneyText({ amount: revenue, currency })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
