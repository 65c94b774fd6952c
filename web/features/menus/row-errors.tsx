import type { MenuImport } from '../../../contracts/menu-imports.ts'
import { formatNumber } from '../../lib/format.ts'
import { fieldNames } from './import-words.ts'

const most = 100

/** What is wrong in a file, row by row as the spreadsheet counts them. */
export function RowErrors({ errors }: { errors: MenuImport['rowErrors'] }) {
  return (
    <>
      <ul className="max-h-72 overflow-y-auto rounded-card border border-line bg-surface text-sm" tabIndex={-1}>
        {errors.map(({ row, field, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list comes as a whole and never changes its order
          <li key={index} className="flex gap-4 border-line px-4 py-2 not-first:border-t">
            <span className="w-20 shrink-0 text-muted tabular-nums">Row {formatNumber(row)}</span>
            <span className="min-w-0 wrap-anywhere">
              {field && <b className="font-semibold">{fieldNames[field]}: </b>}
              {message}
            </span>
          </li>
        ))}
      </ul>
      {errors.length >= most && <p className="text-muted text-sm">The first {most} are shown.</p>}
    </>
  )
}
