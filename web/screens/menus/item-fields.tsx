import { ImagePlus } from 'lucide-react'
import { type Control, useController } from 'react-hook-form'
import type { BusinessType } from '#contracts/business-types.ts'
import type { Location } from '#contracts/locations.ts'
import type { Media } from '#contracts/media.ts'
import type { NewMenuItem } from '#contracts/menus.ts'
import { acceptedImages, fileProblem, kindOf } from '#web/entities/media/check-file.ts'
import { FileChoice } from '#web/entities/media/file-choice.tsx'
import { useOneUpload } from '#web/entities/media/use-one-upload.ts'
import { inStock, outOfStock } from '#web/entities/menus/menu-fields.ts'
import { ProductPicture } from '#web/entities/menus/product-picture.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Field, FieldGroup } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import type { ItemValues, OfferValues } from './item-values.ts'

type OffersFieldProps = { control: Control<ItemValues, unknown, NewMenuItem>; locations: readonly Location[]; price: string }

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
    <FieldGroup legend="By location" hint="Fill in only where a location differs. Empty fields use the values above.">
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

type PictureFieldProps = {
  itemId: string
  type: BusinessType
  image: Media | null
  onChange: (image: Media | null) => void
  onBusy: (isBusy: boolean) => void
}

const problemOf = (file: File) => (kindOf(file) === 'video' ? 'Choose a picture, not a video.' : fileProblem(file))

/** A product's photo. Shows the placeholder that shoppers see without one. */
export function PictureField({ itemId, type, image, onChange, onBusy }: PictureFieldProps) {
  const upload = useOneUpload({ problemOf, onReady: onChange, onBusy })
  return (
    <FieldGroup legend="Picture">
      <div className="flex items-start gap-4">
        <ProductPicture product={{ id: itemId, image }} type={type} className="size-24" />
        <div className="grid min-w-0 flex-1 gap-2">
          <FileChoice upload={upload} accept={acceptedImages} label="Photo of the product" onRemove={image ? () => onChange(null) : null}>
            <ImagePlus aria-hidden="true" />
            {image ? 'Change' : 'Add a photo'}
          </FileChoice>
          {!image && upload.state.status === 'none' && <p className="text-muted text-sm">Without a photo, we show this drawing.</p>}
        </div>
      </div>
    </FieldGroup>
  )
}
