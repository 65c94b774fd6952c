import { type FormEvent, useId, useState } from 'react'
import { productCategories } from '#contracts/menu-fields.rules.ts'
import type { ProductCategory } from '#contracts/menu-fields.ts'
import type { MenuItem } from '#contracts/menus.ts'
import { formatCents, parseCents } from '#contracts/money.rules.ts'
import { type Edits, shownText, shownVariants, type Write } from '#web/entities/menus/menu-edits.ts'
import { readCell } from '#web/entities/menus/menu-fields.ts'
import { counted } from '#web/lib/format.ts'
import { typedNumber } from '#web/lib/units.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { Field, FormError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'

type BulkDialogProps = { count: number; open: boolean; onOpenChange: (open: boolean) => void; onApply: (change: BulkChange) => void }

/** Changes are unsaved edits, which people can check and undo. */
export function BulkDialog({ count, open, onOpenChange, onApply }: BulkDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      {open && <BulkForm count={count} onApply={onApply} />}
    </Dialog>
  )
}

const priceModes = {
  keep: 'Don’t change',
  raise_percent: 'Raise by %',
  lower_percent: 'Lower by %',
  raise_amount: 'Raise by an amount',
  lower_amount: 'Lower by an amount',
} as const
type PriceMode = keyof typeof priceModes

const saleModes = {
  keep: 'Don’t change',
  percent_off: 'Percent off the price',
  days: 'Change the days of the sale',
  none: 'End the sale',
} as const
type SaleMode = keyof typeof saleModes

const roundingWords: Record<Rounding, string> = { 1: '0.01', 5: '0.05', 25: '0.25', 50: '0.50', 100: '1.00' }

function amountOf(text: string, max: number): number | null {
  const amount = typedNumber(text.trim().replace(/^\$|%$/g, ''))
  return amount !== null && amount > 0 && amount < max ? amount : null
}

function BulkForm({ count, onApply }: Pick<BulkDialogProps, 'count' | 'onApply'>) {
  const formId = useId()
  const [priceMode, setPriceMode] = useState<PriceMode>('keep')
  const [priceText, setPriceText] = useState('')
  const [saleMode, setSaleMode] = useState<SaleMode>('keep')
  const [saleText, setSaleText] = useState('')
  const [starts, setStarts] = useState('')
  const [ends, setEnds] = useState('')
  const [rounding, setRounding] = useState<Rounding>(1)
  const [category, setCategory] = useState<ProductCategory | ''>('')
  const [brand, setBrand] = useState('')
  const [wasSent, setSent] = useState(false)

  const isPercent = priceMode.endsWith('percent')
  const price = amountOf(priceText, priceMode === 'lower_percent' ? 100 : isPercent ? 1000 : 1_000_000)
  const sale = amountOf(saleText, 100)
  const priceError =
    priceMode !== 'keep' && price === null ? (isPercent ? 'Enter a percentage, such as 10' : 'Enter an amount, such as 2.50') : null
  const saleError = saleMode === 'percent_off' && sale === null ? 'Enter a percentage below 100, such as 15' : null
  const hasDays = saleMode === 'percent_off' || saleMode === 'days'
  const daysError = hasDays && starts && ends && ends < starts ? 'Can’t be before the first day' : null
  const isNothing = priceMode === 'keep' && saleMode === 'keep' && category === '' && brand.trim() === ''

  function submit(event: FormEvent) {
    event.preventDefault()
    setSent(true)
    if (priceError !== null || saleError !== null || daysError !== null || isNothing) return
    onApply({
      price:
        priceMode === 'keep' || price === null
          ? null
          : { by: isPercent ? 'percent' : 'amount', value: priceMode.startsWith('lower') ? -price : price, rounding },
      sale: saleMode === 'none' ? 'none' : saleMode === 'percent_off' && sale !== null ? { percentOff: sale, rounding } : null,
      days: hasDays ? { starts, ends } : null,
      category: category || null,
      brand: brand.trim() || null,
    })
  }

  const rounds = priceMode !== 'keep' || saleMode === 'percent_off'
  return (
    <DialogContent
      title={`Change ${counted(count, 'item')}`}
      description="You can check the changes in the table before you save them."
      actions={
        <>
          <DialogCancel />
          <Button type="submit" form={formId}>
            Apply
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="grid gap-4">
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <Field label="Price of every size">
            <Select value={priceMode} onChange={(event) => setPriceMode(event.target.value as PriceMode)}>
              {Object.entries(priceModes).map(([mode, words]) => (
                <option key={mode} value={mode}>
                  {words}
                </option>
              ))}
            </Select>
          </Field>
          {priceMode !== 'keep' && (
            <Field label={isPercent ? 'Percent' : 'Amount'} error={wasSent && priceError}>
              <Input inputMode="decimal" autoComplete="off" value={priceText} onChange={(event) => setPriceText(event.target.value)} />
            </Field>
          )}
        </div>
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <Field label="Sale price">
            <Select value={saleMode} onChange={(event) => setSaleMode(event.target.value as SaleMode)}>
              {Object.entries(saleModes).map(([mode, words]) => (
                <option key={mode} value={mode}>
                  {words}
                </option>
              ))}
            </Select>
          </Field>
          {saleMode === 'percent_off' && (
            <Field label="Percent off" error={wasSent && saleError}>
              <Input inputMode="decimal" autoComplete="off" value={saleText} onChange={(event) => setSaleText(event.target.value)} />
            </Field>
          )}
        </div>
        {hasDays && (
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <Field label="First day" optional hint="If empty, the sale starts right away.">
              <Input type="date" value={starts} onChange={(event) => setStarts(event.target.value)} />
            </Field>
            <Field label="Last day" optional hint="If empty, the sale lasts until you end it." error={wasSent && daysError}>
              <Input type="date" value={ends} onChange={(event) => setEnds(event.target.value)} />
            </Field>
          </div>
        )}
        {rounds && (
          <Field label="Round prices to the nearest" hint="Halfway values are rounded up.">
            <Select value={rounding} onChange={(event) => setRounding(Number(event.target.value) as Rounding)}>
              {roundings.map((step) => (
                <option key={step} value={step}>
                  {roundingWords[step]}
                </option>
              ))}
            </Select>
          </Field>
        )}
        <Field label="Category">
          <Select value={category} onChange={(event) => setCategory(event.target.value as ProductCategory | '')}>
            <option value="">Don’t change</option>
            {productCategories.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Brand" optional>
          <Input
            maxLength={120}
            placeholder="Don’t change"
            autoComplete="off"
            value={brand}
            onChange={(event) => setBrand(event.target.value)}
          />
        </Field>
        {wasSent && isNothing && <FormError>Choose at least one change.</FormError>}
      </form>
    </DialogContent>
  )
}

/** Prices round to a multiple of this many cents. */
const roundings = [1, 5, 25, 50, 100] as const
type Rounding = (typeof roundings)[number]

/** `value` is in percent or in the currency's main unit. A negative one lowers prices. */
type PriceChange = { by: 'percent' | 'amount'; value: number; rounding: Rounding }

export type BulkChange = {
  price: PriceChange | null
  sale: { percentOff: number; rounding: Rounding } | 'none' | null
  /** Only applies to sizes with a sale price. */
  days: { starts: string; ends: string } | null
  category: ProductCategory | null
  brand: string | null
}

/** Rounds half up. Null if nothing would be left. */
export function changedCents(cents: number, { by, value, rounding }: PriceChange): number | null {
  // In hundredths of a percent, because binary fractions aren't exact.
  const exact = by === 'percent' ? (cents * (10_000 + Math.round(value * 100))) / 10_000 : cents + Math.round(value * 100)
  const rounded = Math.floor(exact / rounding + 0.5) * rounding
  return rounded > 0 ? rounded : null
}

function centsOf(text: string): number | null {
  const found = readCell('price', text)
  return 'value' in found && typeof found.value === 'string' ? parseCents(found.value) : null
}

/** Applies the change on top of unsaved edits. `skipped` counts sizes whose price or sale price can't be changed. */
export function bulkWrites(items: readonly MenuItem[], edits: Edits, change: BulkChange): { writes: Write[]; skipped: number } {
  const writes: Write[] = []
  let skipped = 0
  for (const item of items) {
    const edit = edits[item.id]
    const { id } = item
    if (change.category !== null) writes.push({ id, variant: '', key: 'category', text: change.category })
    if (change.brand !== null) writes.push({ id, variant: '', key: 'brand', text: change.brand })
    for (const variant of shownVariants(edit, item)) {
      const write = (key: Write['key'], text: string) => writes.push({ id, variant, key, text })
      const before = centsOf(shownText(edit, item, 'price', variant))
      const after = before === null ? null : change.price === null ? before : changedCents(before, change.price)
      let hasSale = shownText(edit, item, 'salePrice', variant).trim() !== ''
      if (change.sale === 'none') for (const key of ['salePrice', 'saleStarts', 'saleEnds'] as const) write(key, '')
      if (after === null) {
        if (change.price !== null || (change.sale !== null && change.sale !== 'none')) skipped++
        continue
      }
      if (change.price !== null) write('price', formatCents(after))
      if (change.sale !== null && change.sale !== 'none') {
        const { percentOff, rounding } = change.sale
        const sale = changedCents(after, { by: 'percent', value: -percentOff, rounding })
        if (sale === null || sale >= after) {
          skipped++
          continue
        }
        write('salePrice', formatCents(sale))
        hasSale = true
      }
      if (change.days !== null && hasSale) {
        write('saleStarts', change.days.starts)
        write('saleEnds', change.days.ends)
      }
    }
  }
  return { writes, skipped }
}
