import { type FormEvent, useId, useState } from 'react'
import { productCategories } from '#contracts/menu-fields.rules.ts'
import type { ProductCategory } from '#contracts/menu-fields.ts'
import { counted } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { Field, FormError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { type BulkChange, type Rounding, roundings } from './bulk-changes.ts'

type BulkDialogProps = { count: number; open: boolean; onOpenChange: (open: boolean) => void; onApply: (change: BulkChange) => void }

/** Changes fields of all selected items. The changes are unsaved edits, so that they can be looked at and undone. */
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

const saleModes = { keep: 'Don’t change', percent_off: 'Percent off the price', none: 'End the sale' } as const
type SaleMode = keyof typeof saleModes

const roundingWords: Record<Rounding, string> = { 1: '0.01', 5: '0.05', 25: '0.25', 50: '0.50', 100: '1.00' }

/** Above zero; percentages below 100 if `max` says so. */
function amountOf(text: string, max: number): number | null {
  const amount = Number(
    text
      .trim()
      .replace(',', '.')
      .replace(/^\$|%$/g, ''),
  )
  return Number.isFinite(amount) && amount > 0 && amount < max ? amount : null
}

function BulkForm({ count, onApply }: Pick<BulkDialogProps, 'count' | 'onApply'>) {
  const formId = useId()
  const [priceMode, setPriceMode] = useState<PriceMode>('keep')
  const [priceText, setPriceText] = useState('')
  const [saleMode, setSaleMode] = useState<SaleMode>('keep')
  const [saleText, setSaleText] = useState('')
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
  const isNothing = priceMode === 'keep' && saleMode === 'keep' && category === '' && brand.trim() === ''

  function submit(event: FormEvent) {
    event.preventDefault()
    setSent(true)
    if (priceError !== null || saleError !== null || isNothing) return
    onApply({
      price:
        priceMode === 'keep' || price === null
          ? null
          : { by: isPercent ? 'percent' : 'amount', value: priceMode.startsWith('lower') ? -price : price, rounding },
      sale: saleMode === 'none' ? 'none' : saleMode === 'percent_off' && sale !== null ? { percentOff: sale, rounding } : null,
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
