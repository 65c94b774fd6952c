import type { ReactNode } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { Card, CardBody } from '../../ui/card.tsx'

type RankedCardProps = {
  title: string
  /** What the figures count. */
  of: string
  rows: readonly { key: string; name: ReactNode; views: number }[]
  /** What to do while there is nothing to rank. */
  empty: ReactNode
}

/** A list from the most to the least, each with a bar against the first. */
export function RankedCard({ title, of, rows, empty }: RankedCardProps) {
  const most = Math.max(1, ...rows.map(({ views }) => views))
  return (
    <Card asChild>
      <section aria-label={title}>
        <CardBody>
          <div className="flex items-baseline justify-between gap-3">
            <h2 className="text-lg">{title}</h2>
            {rows.length > 0 && <p className="text-muted text-sm">{of}</p>}
          </div>
          {rows.length === 0 ? (
            <p className="mt-3 max-w-text text-[0.9375rem] text-muted">{empty}</p>
          ) : (
            <ol className="mt-3 grid gap-1">
              {rows.map(({ key, name, views }) => (
                <li key={key} className="relative flex items-baseline justify-between gap-4 py-2">
                  <span className="min-w-0 wrap-anywhere">{name}</span>
                  <span className="tabular-nums">
                    {formatNumber(views)}
                    <span className="sr-only"> {of}</span>
                  </span>
                  <span aria-hidden="true" className="absolute inset-x-0 bottom-0 h-1 overflow-hidden rounded-full bg-sunk">
                    <span className="block h-full rounded-full bg-leaf/70" style={{ width: `${(views / most) * 100}%` }} />
                  </span>
                </li>
              ))}
            </ol>
          )}
        </CardBody>
      </section>
    </Card>
  )
}
