import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import { numberText } from './format.ts'
import { cellText, headText, isNumeric, type PlotTable } from './plot-table.ts'

export const rowsOfPage = 100

/** Every number of a plot, a hundred rows at a time. */
export function PlotTableView<Row>({ name, columns, rows }: PlotTable<Row> & { name: string }) {
  const [wanted, setPage] = useState(0)
  const pages = Math.max(1, Math.ceil(rows.length / rowsOfPage))
  const page = Math.min(wanted, pages - 1)
  const from = page * rowsOfPage
  const shown = rows.slice(from, from + rowsOfPage)
  return (
    <div className="border-line border-t">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section className="max-h-112 overflow-auto focus-visible:-outline-offset-2" tabIndex={0} aria-label={`${name} as a table`}>
        <table className="w-full text-sm tabular-nums">
          <caption className="sr-only">{name}</caption>
          <thead className="sticky top-0 z-1 bg-sunk">
            <tr>
              {columns.map((column, nth) => (
                <th
                  key={column.key}
                  scope="col"
                  className={`whitespace-nowrap px-3 py-2 font-medium first:pl-4 last:pr-4 sm:first:pl-5 sm:last:pr-5 ${isNumeric(column) ? 'text-right' : 'text-left'} ${nth === 0 ? 'left-0 sm:sticky sm:bg-sunk' : ''}`}
                >
                  {headText(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, nth) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name in common and never move within a page
              <tr key={from + nth} className="border-line border-t">
                {columns.map((column, place) =>
                  place === 0 ? (
                    <th
                      key={column.key}
                      scope="row"
                      className={`left-0 whitespace-nowrap bg-surface px-3 py-2 pl-4 font-medium sm:sticky sm:pl-5 ${isNumeric(column) ? 'text-right' : 'text-left'}`}
                    >
                      {cellText(column, row)}
                    </th>
                  ) : (
                    <td
                      key={column.key}
                      className={`whitespace-nowrap px-3 py-2 last:pr-4 sm:last:pr-5 ${isNumeric(column) ? 'text-right' : 'text-left'}`}
                    >
                      {cellText(column, row)}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {pages > 1 && (
        <div className="flex items-center justify-between gap-3 border-line border-t px-4 py-2 text-muted text-sm sm:px-5">
          <p aria-live="polite" className="tabular-nums">
            {numberText(from + 1)} to {numberText(from + shown.length)} of {numberText(rows.length)} rows
          </p>
          <div className="flex gap-1">
            <IconButton size="sm" label={`${name}: earlier rows`} disabled={page === 0} onClick={() => setPage(page - 1)}>
              <ChevronLeft aria-hidden="true" />
            </IconButton>
            <IconButton size="sm" label={`${name}: later rows`} disabled={page === pages - 1} onClick={() => setPage(page + 1)}>
              <ChevronRight aria-hidden="true" />
            </IconButton>
          </div>
        </div>
      )}
    </div>
  )
}
