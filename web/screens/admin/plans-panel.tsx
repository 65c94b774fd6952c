import { useQuery } from '@tanstack/react-query'
import type { PlanFigures } from '#contracts/admin.endpoints.ts'
import { formatMonthlyPrice } from '#contracts/plans.ts'
import { numberFormat } from '#web/lib/format.ts'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { planFiguresOptions } from './admin.api.ts'

/** Only shows figures, because plans and their prices come from the code. */
export function PlansPanel() {
  const query = useQuery(planFiguresOptions)
  return (
    <Loaded
      query={query}
      loadingLabel="Loading the plans..."
      skeleton={<Skeleton className="h-72 rounded-card" />}
      failure="The plans couldn’t be loaded"
    >
      {(figures) => <Figures figures={figures} />}
    </Loaded>
  )
}

type Money = PlanFigures['received']

const money = (amounts: Money): string =>
  amounts.length === 0
    ? '–'
    : amounts
        .map(({ currency, cents }) => numberFormat({ style: 'currency', currency, maximumFractionDigits: 0 }).format(cents / 100))
        .join(' + ')

const audiences = { person: 'People', business: 'Businesses' }

function Figures({ figures: { plans, subscriptions, received } }: { figures: PlanFigures }) {
  const rows = [
    ...plans.map((plan) => ({ ...plan, of: audiences[plan.audience], price: formatMonthlyPrice(plan.monthlyCents) })),
    { ...subscriptions, id: 'subscriptions', name: 'Subscriptions to businesses', of: 'People', price: 'set by each business' },
  ]
  return (
    <div className="grid grid-cols-1 gap-5">
      <Card>
        <CardBody>
          <p className="text-muted text-sm">Received in the last 30 days, after refunds</p>
          <p className="mt-1 font-display text-3xl tabular-nums">{received.length === 0 ? 'Nothing' : money(received)}</p>
        </CardBody>
      </Card>
      <Card>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
        <section aria-label="Plan figures" tabIndex={0} className="overflow-x-auto">
          <table className="w-full text-left text-sm">
            <caption className="sr-only">Number of active, past due and ending plans, with their monthly total</caption>
            <thead className="text-muted">
              <tr>
                {['Plan', 'Active', 'Past due', 'Ending', 'Per month'].map((name, column) => (
                  <th
                    key={name}
                    scope="col"
                    className={`px-3 py-3 sm:px-4 font-medium whitespace-nowrap ${column === 0 ? '' : 'text-right'}`}
                  >
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id} className="border-line border-t">
                  <th scope="row" className="min-w-32 px-3 py-3 sm:px-4 font-medium">
                    {row.name}
                    <span className="block font-normal text-muted">
                      {row.of}, {row.price}
                    </span>
                  </th>
                  <td className="px-3 py-3 sm:px-4 text-right tabular-nums">{row.active}</td>
                  <td className={`px-3 py-3 sm:px-4 text-right tabular-nums ${row.pastDue > 0 ? 'text-clay' : ''}`}>{row.pastDue}</td>
                  <td className="px-3 py-3 sm:px-4 text-right tabular-nums">{row.ending}</td>
                  <td className="px-3 py-3 sm:px-4 text-right whitespace-nowrap tabular-nums">{money(row.monthly)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </Card>
    </div>
  )
}
