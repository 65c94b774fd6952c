import { type Control, useController } from 'react-hook-form'
import type { Location } from '../../../contracts/locations.ts'
import type { NewMenuItem } from '../../../contracts/menus.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Field, FieldGroup } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import type { ItemValues, OfferValues } from './item-values.ts'
import { inStock, outOfStock } from './menu-columns.ts'

type OffersFieldProps = { control: Control<ItemValues, unknown, NewMenuItem>; locations: readonly Location[]; price: string }

/** Where one location differs from the rest: not on its menu, another price, another stock. */
export function OffersField({ control, locations, price }: OffersFieldProps) {
  const { field, formState } = useController({ control, name: 'offers' })
  const offerOf = (locationId: string): OfferValues =>
    field.value.find((offer) => offer.locationId === locationId) ?? { locationId, isOffered: true, price: '', stock: '' }
  const change = (locationId: string, part: Partial<OfferValues>) => {
    const next = { ...offerOf(locationId), ...part }
    const isThere = field.value.some((offer) => offer.locationId === locationId)
    field.onChange(isThere ? field.value.map((offer) => (offer.locationId === locationId ? next : offer)) : [...field.value, next])
  }
  return (
    <FieldGroup legend="By location" hint="Only where a location differs: what is left empty is as above.">
      <ul className="grid gap-2">
        {locations.map(({ id, name }) => {
          const offer = offerOf(id)
          const index = field.value.findIndex(({ locationId }) => locationId === id)
          return (
            <li
              key={id}
              className="grid gap-x-4 gap-y-2 rounded-input border border-line p-3 sm:grid-cols-[minmax(0,1fr)_8rem_10rem] sm:items-start"
            >
              <Checkbox checked={offer.isOffered} onChange={(event) => change(id, { isOffered: event.target.checked })} className="sm:pt-7">
                <span className="font-medium wrap-anywhere">{name}</span>
                <span className="block text-muted text-sm">{offer.isOffered ? 'On its menu' : 'Not on its menu'}</span>
              </Checkbox>
              {offer.isOffered && (
                <>
                  <Field label="Price" error={index === -1 ? undefined : formState.errors.offers?.[index]?.price?.message}>
                    <Input
                      value={offer.price}
                      placeholder={price || 'As above'}
                      inputMode="decimal"
                      autoComplete="off"
                      onChange={(event) => change(id, { price: event.target.value })}
                    />
                  </Field>
                  <Field label="Stock">
                    <Select value={offer.stock} onChange={(event) => change(id, { stock: event.target.value as OfferValues['stock'] })}>
                      <option value="">As above</option>
                      <option value="in">{inStock}</option>
                      <option value="out">{outOfStock}</option>
                    </Select>
                  </Field>
                </>
              )}
            </li>
          )
        })}
      </ul>
    </FieldGroup>
  )
}
