import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { getMenuSettings, saveMenuSettings } from '#contracts/calls/menus.ts'
import { Currency } from '#contracts/fields.ts'
import { MenuSettings } from '#contracts/menus.ts'
import { itemsHaveChanged, menuSettingsOptions } from '#web/entities/menus/menus.api.ts'
import { LoadLatest } from '#web/forms/form-dialog.tsx'
import { fieldErrors, isConflict } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call, refreshCalls } from '#web/lib/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { Field, FormError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { RadioCard, RadioCards } from '#web/ui/radio-cards.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { priceExample } from './menu-words.ts'

const currencyNames = { USD: 'US dollar ($)', CAD: 'Canadian dollar (CA$)', EUR: 'Euro (€)' }

type SettingsDialogProps = { businessId: string; settings: MenuSettings; open: boolean; onOpenChange: (open: boolean) => void }

export function SettingsDialog(props: SettingsDialogProps) {
  const [loads, setLoads] = useState(0)
  return (
    <Dialog open={props.open} onOpenChange={props.onOpenChange}>
      {props.open && <SettingsForm key={loads} {...props} onLoadLatest={() => setLoads(loads + 1)} />}
    </Dialog>
  )
}

function SettingsForm({ businessId, settings, onOpenChange, onLoadLatest }: SettingsDialogProps & { onLoadLatest: () => void }) {
  const client = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const [before] = useState(() => MenuSettings.parse(settings))
  const [currency, setCurrency] = useState(settings.currency)
  const [rate, setRate] = useState(settings.taxRate === null ? '' : String(settings.taxRate))
  const [pricesIncludeTax, setIncluded] = useState(settings.pricesIncludeTax)
  const [rateError, setRateError] = useState<string | undefined>()
  const saving = useMutation({
    mutationFn: async (body: MenuSettings) => {
      try {
        return await call(saveMenuSettings, { params: { id: businessId }, body: { ...body, before } })
      } catch (error) {
        if (isConflict(error)) await refreshCalls(client, [getMenuSettings])
        throw error
      }
    },
    onSuccess: (answer) => {
      client.setQueryData(menuSettingsOptions(businessId).queryKey, answer)
      void itemsHaveChanged(client)
      toast({ title: 'Menu settings saved' })
      onOpenChange(false)
    },
    onError: (error) => setRateError(fieldErrors(error).taxRate),
  })
  const text = rate.trim().replace(/\s*%$/, '')
  const taxRate = text === '' ? null : Number(text)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (saving.isPending) return
    const checked = MenuSettings.safeParse({ currency, taxRate, pricesIncludeTax })
    if (checked.success) return saving.mutate(checked.data)
    setRateError('Enter a percentage from 0 to 100, such as 15.75')
    form.current?.querySelector<HTMLInputElement>('[name="taxRate"]')?.focus()
  }

  return (
    <DialogContent
      title="Menu settings"
      description="How prices appear on this menu."
      size="md"
      actions={
        <>
          <DialogCancel />
          <Button type="submit" form="menu-settings" pending={saving.isPending} pendingText="Saving...">
            Save settings
          </Button>
        </>
      }
    >
      <form ref={form} id="menu-settings" noValidate onSubmit={submit} className="grid gap-5">
        <Field label="Currency">
          <Select value={currency} onChange={(event) => setCurrency(Currency.parse(event.target.value))}>
            {Currency.options.map((code) => (
              <option key={code} value={code}>
                {currencyNames[code]}
              </option>
            ))}
          </Select>
        </Field>
        <Field
          label="Tax rate (%)"
          optional
          hint="All taxes a shopper pays, combined. If you don’t know, leave it empty. Prices without tax will show “+ tax”."
          error={rateError}
        >
          <Input
            name="taxRate"
            value={rate}
            inputMode="decimal"
            autoComplete="off"
            onChange={(event) => {
              setRate(event.target.value)
              setRateError(undefined)
            }}
          />
        </Field>
        <RadioCards legend="My prices">
          <RadioCard
            name="prices"
            value="with"
            title="include tax"
            description="Shoppers pay what you type."
            checked={pricesIncludeTax}
            onChange={() => setIncluded(true)}
          />
          <RadioCard
            name="prices"
            value="without"
            title="don’t include tax"
            description="Tax is added for shoppers."
            checked={!pricesIncludeTax}
            onChange={() => setIncluded(false)}
          />
        </RadioCards>
        <p className="rounded-input bg-sunk px-4 py-3 text-sm tabular-nums" aria-live="polite">
          {priceExample({ currency, taxRate: taxRate !== null && Number.isFinite(taxRate) ? taxRate : null, pricesIncludeTax })}
        </p>
        {saving.isError && !rateError && (
          <FormError action={isConflict(saving.error) && <LoadLatest onLoad={onLoadLatest} />}>
            The settings weren’t saved. {messageOf(saving.error)}
          </FormError>
        )}
      </form>
    </DialogContent>
  )
}
