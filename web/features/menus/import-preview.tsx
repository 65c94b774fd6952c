import { type MenuImport, menuFileFields } from '../../../contracts/menu-imports.ts'
import { formatNumber } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'
import { fieldNames } from './import-words.ts'

const effects = {
  add: { words: 'New', variant: 'leaf' },
  change: { words: 'Changed', variant: 'neutral' },
  same: { words: 'As it is', variant: 'outline' },
  refused: { words: 'Refused', variant: 'clay' },
} as const

/** The first rows of a file as they would stand in the menu. */
export function ImportPreview({ rows, isStale }: { rows: MenuImport['preview']; isStale: boolean }) {
  const fields = menuFileFields.filter((field) => rows.some(({ values }) => values[field] !== undefined))
  if (rows.length === 0 || fields.length === 0) {
    return <p className="rounded-card border border-line border-dashed px-5 py-8 text-center text-muted">Choose columns to see the rows.</p>
  }
  return (
    <section
      aria-label="Preview"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it can be scrolled by keys
      tabIndex={0}
      className={cx('overflow-x-auto rounded-card border border-line bg-surface transition-opacity', isStale && 'opacity-60')}
    >
      <table className="min-w-full border-collapse text-sm tabular-nums">
        <thead className="bg-sunk text-left text-muted text-xs">
          <tr>
            <th scope="col" className="px-3 py-2 font-medium">
              Row
            </th>
            <th scope="col" className="px-3 py-2 font-medium">
              Effect
            </th>
            {fields.map((field) => (
              <th key={field} scope="col" className="whitespace-nowrap px-3 py-2 font-medium">
                {fieldNames[field]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ row, values, errors, effect }) => (
            <tr key={row} className="border-line border-t align-top">
              <td className="px-3 py-2 text-muted">{formatNumber(row)}</td>
              <td className="px-3 py-2">
                <Badge variant={effects[effect].variant}>{effects[effect].words}</Badge>
              </td>
              {fields.map((field) => {
                const wrong = errors.find((error) => error.field === field)
                return (
                  <td key={field} className={cx('max-w-60 px-3 py-2', field === 'name' && 'min-w-44', wrong && 'min-w-36 bg-clay-soft')}>
                    <span className="line-clamp-2 wrap-anywhere">{values[field]}</span>
                    {wrong && <span className="block font-medium text-clay text-xs">{wrong.message}</span>}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
