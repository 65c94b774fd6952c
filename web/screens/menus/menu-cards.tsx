import { Check, ChevronRight } from 'lucide-react'
import type { MenuItem, MenuSettings } from '#contracts/menus.ts'
import { Confirmed } from '#web/entities/menus/confirmed.tsx'
import {
  type CellErrors,
  type Conflict,
  type Edits,
  type RowEdit,
  shownSize,
  shownText,
  shownVariants,
  type Write,
} from '#web/entities/menus/menu-edits.ts'
import { inStock, outOfStock, readCell } from '#web/entities/menus/menu-fields.ts'
import { makerWords, periodWords } from '#web/entities/menus/product-words.ts'
import { formatPrice } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox, CheckboxBox } from '#web/ui/checkbox.tsx'
import { cx } from '#web/ui/cx.ts'
import { Switch } from '#web/ui/switch.tsx'

type MenuCardsProps = {
  items: readonly { id: string; item: MenuItem | undefined }[]
  edits: Edits
  errors: CellErrors
  conflicts: readonly Conflict[]
  currency: MenuSettings['currency']
  checked: ReadonlySet<string>
  allChecked: 'none' | 'some' | 'all'
  onCheck: (id: string) => void
  onCheckAll: (isOn: boolean) => void
  onWrite: (writes: Write[]) => void
  onOpen: (id: string) => void
  onConfirm: (id: string) => void
}

export function MenuCards({ items, edits, errors, conflicts, currency, checked, allChecked, ...on }: MenuCardsProps) {
  return (
    <>
      {items.some(({ item }) => item) && (
        <Checkbox
          className="mb-2 px-4"
          checked={allChecked === 'all'}
          indeterminate={allChecked === 'some'}
          onChange={() => on.onCheckAll(allChecked === 'none')}
        >
          Select all
        </Checkbox>
      )}
      <ul className="grid gap-3">
        {items.map(({ id, item }) => {
          const edit = edits[id]
          const name = shownText(edit, item, 'name', '') || 'Unnamed item'
          const [category = '', brand = '', strain = ''] = (['category', 'brand', 'strain'] as const).map((key) =>
            shownText(edit, item, key, ''),
          )
          const details = [category, makerWords({ name, brand, strain })].filter(Boolean)
          const wrong = Object.values(errors[id] ?? {})[0]
          const isContested = conflicts.some((conflict) => conflict.id === id)
          return (
            <li
              key={id}
              className={cx(
                'rounded-card border bg-surface',
                edit ? 'border-leaf' : 'border-line',
                (wrong || isContested) && 'border-clay',
              )}
            >
              <div className="flex">
                {item && (
                  <label className="grid min-h-11 shrink-0 content-start py-3.5 pl-4">
                    <CheckboxBox checked={checked.has(id)} onChange={() => on.onCheck(id)} aria-label={`Select ${name}`} />
                  </label>
                )}
                <button
                  type="button"
                  disabled={!item}
                  onClick={() => on.onOpen(id)}
                  className="flex min-w-0 flex-1 items-start gap-3 rounded-card px-4 pt-3 pb-2 text-left"
                >
                  <span className="min-w-0 flex-1">
                    <span className="block font-semibold wrap-anywhere">{name}</span>
                    {details.length > 0 && <span className="block text-muted text-sm wrap-anywhere">{details.join(' · ')}</span>}
                  </span>
                  <ChevronRight aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted" />
                </button>
              </div>
              {wrong && <p className="px-4 pb-1 font-medium text-clay text-sm">{wrong}</p>}
              <ul className="border-line border-t px-4 py-1">
                {shownVariants(edit, item).map((variant) => (
                  <SizeRow
                    key={variant}
                    id={id}
                    name={name}
                    item={item}
                    edit={edit}
                    variant={variant}
                    currency={currency}
                    onWrite={on.onWrite}
                  />
                ))}
              </ul>
              {item && (
                <div className="flex items-center justify-between gap-3 border-line border-t px-4 py-1.5">
                  <Confirmed at={item.confirmedAt} />
                  <Button variant="quiet" size="sm" className="-mr-3" onClick={() => on.onConfirm(id)}>
                    <Check aria-hidden="true" />
                    <span>
                      Confirm<span className="sr-only"> price and stock for {name}</span>
                    </span>
                  </Button>
                </div>
              )}
            </li>
          )
        })}
      </ul>
    </>
  )
}

type SizeRowProps = Pick<MenuCardsProps, 'currency' | 'onWrite'> & {
  id: string
  name: string
  item: MenuItem | undefined
  edit: RowEdit | undefined
  variant: string
}

function SizeRow({ id, name, item, edit, variant, currency, onWrite }: SizeRowProps) {
  const priceOf = (key: 'price' | 'salePrice') => {
    const read = readCell(key, shownText(edit, item, key, variant))
    return 'value' in read && typeof read.value === 'string' ? formatPrice(read.value, currency) : null
  }
  const saleDay = (key: 'saleStarts' | 'saleEnds') => {
    const read = readCell(key, shownText(edit, item, key, variant))
    return 'value' in read && typeof read.value === 'string' ? read.value : null
  }
  const [price, sale] = [priceOf('price') ?? '–', priceOf('salePrice')]
  const size = shownSize(edit, item, variant)
  const period = sale && periodWords(saleDay('saleStarts'), saleDay('saleEnds'))
  const isIn = shownText(edit, item, 'isAvailable', variant) !== outOfStock
  return (
    <li className="flex min-h-11 items-center justify-between gap-x-4">
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-2.5 text-sm tabular-nums">
        {size && <span className="whitespace-nowrap text-muted">{size}</span>}
        <span className="font-semibold">{sale ?? price}</span>
        {sale && (
          <s className="text-muted">
            <span className="sr-only">Regular price </span>
            {price}
          </s>
        )}
        {period && <span className="whitespace-nowrap text-muted">Sale {period}</span>}
      </span>
      <Switch
        checked={isIn}
        aria-label={`${name}${size && `, ${size},`} is in stock`}
        onChange={(event) => onWrite([{ id, variant, key: 'isAvailable', text: event.target.checked ? inStock : outOfStock }])}
      >
        <span className={cx('whitespace-nowrap text-sm', !isIn && 'text-clay')}>{isIn ? inStock : outOfStock}</span>
      </Switch>
    </li>
  )
}
