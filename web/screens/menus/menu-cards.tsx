import { Check, ChevronRight } from 'lucide-react'
import type { MenuSettings } from '#contracts/menus.ts'
import { Confirmed } from '#web/entities/menus/confirmed.tsx'
import { type CellErrors, type Conflict, type Edits, shownText, type Write } from '#web/entities/menus/menu-edits.ts'
import { inStock, outOfStock, readCell } from '#web/entities/menus/menu-fields.ts'
import { formatPrice } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Switch } from '#web/ui/switch.tsx'
import type { GridItem } from './menu-grid.tsx'

type MenuCardsProps = {
  rows: readonly GridItem[]
  edits: Edits
  errors: CellErrors
  conflicts: readonly Conflict[]
  currency: MenuSettings['currency']
  onWrite: (writes: Write[]) => void
  onOpen: (id: string) => void
  onConfirm: (id: string) => void
}

/** A menu on phones: a card per item with the most frequent edits; the form has the rest. */
export function MenuCards({ rows, edits, errors, conflicts, currency, onWrite, onOpen, onConfirm }: MenuCardsProps) {
  return (
    <ul className="grid gap-3">
      {rows.map(({ id, item }) => {
        const edit = edits[id]
        const name = shownText(edit, item, 'name') || 'Item without a name'
        const isIn = shownText(edit, item, 'isAvailable') !== outOfStock
        const price = readCell('price', shownText(edit, item, 'price'))
        const details = (['category', 'brand', 'strain'] as const).map((key) => shownText(edit, item, key)).filter(Boolean)
        const wrong = Object.values(errors[id] ?? {})[0]
        const isContested = conflicts.some((conflict) => conflict.id === id)
        return (
          <li
            key={id}
            className={cx('rounded-card border bg-surface', edit ? 'border-leaf' : 'border-line', (wrong || isContested) && 'border-clay')}
          >
            <button
              type="button"
              disabled={!item}
              onClick={() => onOpen(id)}
              className="flex w-full items-start gap-3 rounded-card px-4 pt-3 pb-2 text-left"
            >
              <span className="min-w-0 flex-1">
                <span className="block font-semibold wrap-anywhere">{name}</span>
                {details.length > 0 && <span className="block text-muted text-sm wrap-anywhere">{details.join(' · ')}</span>}
              </span>
              <span className="font-semibold tabular-nums">
                {'value' in price && typeof price.value === 'string' ? formatPrice(price.value, currency) : '–'}
              </span>
              <ChevronRight aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted" />
            </button>
            {wrong && <p className="px-4 pb-1 font-medium text-clay text-sm">{wrong}</p>}
            <div className="border-line border-t px-4 py-1.5">
              <Switch
                checked={isIn}
                aria-label={`${name} is in stock`}
                onChange={(event) => onWrite([{ id, key: 'isAvailable', text: event.target.checked ? inStock : outOfStock }])}
              >
                <span className={cx('text-sm', !isIn && 'text-clay')}>{isIn ? inStock : outOfStock}</span>
              </Switch>
            </div>
            {item && (
              <div className="flex items-center justify-between gap-3 border-line border-t px-4 py-1.5">
                <Confirmed at={item.confirmedAt} />
                <Button
                  variant="quiet"
                  size="sm"
                  className="-mr-3"
                  aria-label={`Price & stock of ${name} still correct`}
                  onClick={() => onConfirm(id)}
                >
                  <Check aria-hidden="true" />
                  Price & stock still correct
                </Button>
              </div>
            )}
          </li>
        )
      })}
    </ul>
  )
}
