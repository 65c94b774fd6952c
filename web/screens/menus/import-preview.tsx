import type { Currency } from '#contracts/fields.ts'
import { weightUnits } from '#contracts/menu-fields.rules.ts'
import type { MenuFileField, MenuImport } from '#contracts/menu-imports.endpoints.ts'
import { fileFieldKeys, fileFieldName, inStock, outOfStock } from '#web/entities/menus/menu-fields.ts'
import { weightWords } from '#web/entities/menus/product-words.ts'
import { formatNumber, formatPrice } from '#web/lib/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { cx } from '#web/ui/cx.ts'

type Row = MenuImport['preview'][number]

const effects = {
  add: { words: 'New', variant: 'leaf' },
  add_variant: { words: 'New size', variant: 'leaf' },
  change: { words: 'Changed', variant: 'neutral' },
  same: { words: 'Unchanged', variant: 'outline' },
  inactive: { words: 'Not published', variant: 'outline' },
  refused: { words: 'Rejected', variant: 'clay' },
} as const

const leading = ['name', 'size', 'price', 'stock'] as const
const isInLeading = new Set<MenuFileField>(['name', 'weight', 'weightUnit', 'price', 'stock', 'isAvailable'])
const headings = { name: 'Name', size: 'Size', price: 'Price', stock: 'Stock' }

type ImportPreviewProps = { rows: MenuImport['preview']; currency: Currency; isStale: boolean }

/** Shows the first rows in a table or, where that is too wide, in a list. */
export function ImportPreview({ rows, currency, isStale }: ImportPreviewProps) {
  const others = fileFieldKeys.filter((field) => !isInLeading.has(field) && rows.some(({ values }) => values[field] !== undefined))
  if (rows.length === 0) {
    return <p className="rounded-card border border-line border-dashed px-5 py-8 text-center text-muted">Choose columns to see the rows.</p>
  }
  return (
    <>
      <ul
        aria-label="File preview"
        className={cx('overflow-clip rounded-card border border-line bg-surface transition-opacity sm:hidden', isStale && 'opacity-60')}
      >
        {rows.map((row, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: rows may share a number, and the list is never reordered
            key={index}
            className="grid gap-1 border-line px-4 py-3 not-first:border-t"
          >
            <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
              <span className="min-w-0 font-medium wrap-anywhere">
                {leadingText(row, 'name', currency) || `Row ${formatNumber(row.row)}`}
              </span>
              <Badge variant={effects[row.effect].variant}>{effects[row.effect].words}</Badge>
            </p>
            <p className="text-muted text-sm tabular-nums wrap-anywhere">
              {leading
                .slice(1)
                .map((key) => leadingText(row, key, currency))
                .filter(Boolean)
                .join(' · ')}
            </p>
            <Remarks row={row} />
          </li>
        ))}
      </ul>
      <section
        aria-label="File preview"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
        tabIndex={0}
        className={cx(
          'overflow-x-auto rounded-card border border-line bg-surface transition-opacity max-sm:hidden',
          isStale && 'opacity-60',
        )}
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
              {leading.map((key) => (
                <th key={key} scope="col" className={cx('whitespace-nowrap px-3 py-2 font-medium', key === 'price' && 'text-right')}>
                  {headings[key]}
                </th>
              ))}
              {others.map((field) => (
                <th key={field} scope="col" className="whitespace-nowrap px-3 py-2 font-medium">
                  {fileFieldName(field)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr
                // biome-ignore lint/suspicious/noArrayIndexKey: rows may share a number, and the list is never reordered
                key={index}
                className={cx('border-line border-t align-top', row.effect === 'inactive' && 'text-muted')}
              >
                <td className="px-3 py-2 text-muted">{formatNumber(row.row)}</td>
                <td className="whitespace-nowrap px-3 py-2">
                  <Badge variant={effects[row.effect].variant}>{effects[row.effect].words}</Badge>
                </td>
                {leading.map((key) => (
                  <td
                    key={key}
                    className={cx(
                      'px-3 py-2',
                      key === 'name' ? 'min-w-56 max-w-96 font-medium' : 'whitespace-nowrap',
                      key === 'price' && 'text-right',
                    )}
                  >
                    <span className={key === 'name' ? 'wrap-anywhere' : undefined}>{leadingText(row, key, currency)}</span>
                    {key === 'name' && <Remarks row={row} />}
                  </td>
                ))}
                {others.map((field) => (
                  <td key={field} className="min-w-28 max-w-60 px-3 py-2">
                    <span className="line-clamp-2 wrap-anywhere">{row.values[field]}</span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

/** Errors and notes are below the row's name, so they're always in view. */
const Remarks = ({ row: { errors, notes } }: { row: Row }) => (
  <>
    {[...errors, ...notes].map(({ field, message }, index) => (
      <span
        // biome-ignore lint/suspicious/noArrayIndexKey: the list arrives complete and is never reordered
        key={index}
        className={cx('block text-xs wrap-anywhere', index < errors.length ? 'font-medium text-clay' : 'font-normal text-muted')}
      >
        {field && `${fileFieldName(field)}: `}
        {message}
      </span>
    ))}
  </>
)

function leadingText({ values, effect }: Row, key: (typeof leading)[number], currency: Currency): string {
  const isTaken = effect !== 'refused' && effect !== 'inactive'
  if (key === 'size') return sizeText(values, isTaken)
  if (key === 'price') return isTaken && values.price ? priceText(values, currency) : (values.price ?? '')
  if (key === 'name') return values.name ?? ''
  if (!isTaken) return values.stock || (values.isAvailable ?? '')
  if (values.isAvailable === 'no') return outOfStock
  return values.stock ? formatNumber(Number(values.stock)) : inStock
}

/** As shoppers will see it, or as written if the row won't be imported. */
function sizeText({ weight = '', weightUnit = '' }: Row['values'], isTaken: boolean): string {
  const unit = weightUnits.find((each) => each === weightUnit)
  if (!isTaken || weight === '' || !unit) return [weight, weightUnit].filter(Boolean).join(' ')
  return weightWords({ weight: Number(weight), weightUnit: unit }) ?? ''
}

function priceText({ price = '', salePrice }: Row['values'], currency: Currency): string {
  return salePrice ? `${formatPrice(salePrice, currency)} (was ${formatPrice(price, currency)})` : formatPrice(price, currency)
}
