import { useQuery } from '@tanstack/react-query'
import { FileCheck2, FileUp, ImagePlus } from 'lucide-react'
import { type FormEvent, type ReactNode, type Ref, useId, useState } from 'react'
import { type Control, useController, useForm, useWatch } from 'react-hook-form'
import type { BusinessType } from '#contracts/business-types.ts'
import type { Location } from '#contracts/locations.ts'
import type { Media } from '#contracts/media.ts'
import { type MenuField, menuFields } from '#contracts/menu-fields.ts'
import type { MenuItem, MenuSettings, NewMenuItem } from '#contracts/menus.ts'
import { locationsOptions } from '#web/entities/locations/locations.api.ts'
import { acceptedDocuments, acceptedImages, fileProblem, kindOf } from '#web/entities/media/check-file.ts'
import { FileChoice } from '#web/entities/media/file-choice.tsx'
import { useDocumentUpload, useOneUpload } from '#web/entities/media/use-one-upload.ts'
import { fieldWords, formDetails, formRows, inStock, itemFields, outOfStock } from '#web/entities/menus/menu-fields.ts'
import { ProductPicture } from '#web/entities/menus/product-picture.tsx'
import { StrainCombobox } from '#web/entities/strains/strain-combobox.tsx'
import { DialogActions } from '#web/forms/form-dialog.tsx'
import { useDraft, withDraft } from '#web/forms/form-draft.ts'
import { showServerErrors } from '#web/forms/server-errors.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Field, FieldError, FieldGroup } from '#web/ui/field.tsx'
import { Input, Textarea } from '#web/ui/input.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { Select } from '#web/ui/select.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { type ItemValues, itemResolver, type OfferValues } from './item-values.ts'

type ItemFormProps = {
  business: { id: string; type: BusinessType }
  /** Draft key of the form. */
  subject: string
  item: MenuItem | null
  initial: ItemValues
  settings: MenuSettings | undefined
  submitText: string
  /** @throws as `call` does */
  onSubmit: (item: NewMenuItem) => Promise<void>
  onCancel: () => void
  /** Called if someone else changed the item, to show the current version. */
  onConflict?: (() => void) | undefined
  start?: ReactNode
}

const signs = { USD: '$', CAD: 'CA$', EUR: '€' }

export function ItemForm({ business, subject, item, initial, settings, submitText, onSubmit, onCancel, onConflict, start }: ItemFormProps) {
  // The draft leaves out the photo, since it can't be shown again after a reload.
  const [defaultValues] = useState(() => ({ ...withDraft(subject, initial), imageId: initial.imageId }))
  const form = useForm<ItemValues, unknown, NewMenuItem>({ defaultValues, resolver: itemResolver, mode: 'onTouched' })
  const { control, setValue } = form
  const dropDraft = useDraft(form, subject)
  const [image, setImage] = useState<Media | null>(item?.image ?? null)
  const [failure, setFailure] = useState<unknown>(null)
  const [uploading, setUploading] = useState({ picture: false, certificate: false })
  const isUploading = uploading.picture || uploading.certificate
  const { data: locations = [] } = useQuery(locationsOptions(business.id))
  const price = useWatch({ control, name: 'price' })
  const certificateId = useWatch({ control, name: 'certificateId' })

  const submit = form.handleSubmit(async (values) => {
    // Submitting with Enter bypasses the button, which is disabled during uploads.
    if (isUploading) return
    setFailure(null)
    try {
      await onSubmit(values)
      dropDraft()
    } catch (error) {
      if (!showServerErrors(form, namedAsFields(error), itemFields)) setFailure(error)
    }
  })
  const cancel = () => {
    dropDraft()
    onCancel()
  }
  const isConflict = failure instanceof ApiError && failure.code === 'conflict' && onConflict !== undefined

  return (
    <form noValidate onSubmit={(event: FormEvent) => void submit(event as never)} aria-label="Item" className="grid gap-5">
      <div className="grid gap-4 sm:grid-cols-2">
        {formRows.map((row) => (
          <div key={row[0]} className={rowLooks[row[0] as MenuField]}>
            {row.map((name) => (
              <ItemField key={name} control={control} name={name} settings={settings} />
            ))}
          </div>
        ))}
      </div>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <PictureField
          itemId={item?.id ?? subject}
          type={business.type}
          image={image}
          onBusy={(picture) => setUploading((before) => ({ ...before, picture }))}
          onChange={(next) => {
            setImage(next)
            setValue('imageId', next?.id ?? '', { shouldDirty: true })
          }}
        />
        <CertificateField
          url={item && certificateId === item.certificateId ? item.certificateUrl : null}
          id={certificateId}
          onBusy={(certificate) => setUploading((before) => ({ ...before, certificate }))}
          onChange={(id) => setValue('certificateId', id, { shouldDirty: true })}
        />
        {formDetails.map((name) => (
          <ItemField key={name} control={control} name={name} settings={settings} />
        ))}
      </div>
      {locations.length > 1 && <OffersField control={control} locations={locations} price={price} />}
      {failure !== null && (
        <div role="alert" className="grid justify-items-start gap-2">
          <FieldError>{isConflict ? 'Someone else changed this item in the meantime.' : messageOf(failure)}</FieldError>
          {isConflict && (
            <Button variant="secondary" size="sm" onClick={onConflict}>
              Load the latest version
            </Button>
          )}
        </div>
      )}
      {start}
      <DialogActions
        onCancel={cancel}
        submitText={submitText}
        pending={form.formState.isSubmitting || isUploading}
        pendingText={isUploading ? 'Uploading...' : 'Saving...'}
      />
    </form>
  )
}

/** Strips `changes.0.` from the field names of a bulk response. */
function namedAsFields(error: unknown): unknown {
  if (error instanceof ApiError) {
    for (const [path, message] of Object.entries(error.fields)) error.fields[path.replace(/^changes\.0\./, '')] = message
  }
  return error
}

const rowLooks: Partial<Record<MenuField, string>> = {
  name: 'sm:col-span-2',
  isAvailable: 'sm:pt-7',
  weight: 'grid grid-cols-[minmax(0,1fr)_6.5rem] items-start gap-2',
  thc: 'grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_5.5rem] items-start gap-2',
  description: 'sm:col-span-2',
}

type ItemFieldProps = { control: Control<ItemValues, unknown, NewMenuItem>; name: MenuField; settings: MenuSettings | undefined }

function ItemField({ control, name, settings }: ItemFieldProps) {
  const { field, fieldState } = useController({ control, name })
  const description: { kind: string; maxLength?: number } = menuFields[name]
  const { kind, maxLength } = description
  const words = fieldWords[name]
  if (kind === 'switch') return <StockSwitch {...field} />
  const taxHint = settings?.pricesIncludeTax ? 'With tax' : 'Before tax'
  const label = words.label ?? words.name
  return (
    <Field
      label={kind === 'price' ? `${label} (${signs[settings?.currency ?? 'USD']})` : label}
      hint={words.hint ?? (kind === 'price' ? taxHint : undefined)}
      optional={words.isOptional}
      error={fieldState.error?.message}
    >
      {name === 'strain' ? (
        <StrainCombobox ref={field.ref} value={field.value} onChange={field.onChange} />
      ) : kind === 'choice' ? (
        <Select {...field}>
          <option value="">{name === 'category' ? 'None' : '–'}</option>
          {words.choices?.map((choice) => (
            <option key={choice.value} value={choice.label}>
              {choice.label}
            </option>
          ))}
        </Select>
      ) : kind === 'text' && (maxLength ?? 0) > longestLine ? (
        <Textarea rows={3} maxLength={maxLength} {...field} />
      ) : (
        <Input autoComplete="off" maxLength={maxLength} inputMode={kind === 'text' ? undefined : 'decimal'} {...field} />
      )}
    </Field>
  )
}

/** Longer texts get several lines. */
const longestLine = 500

function StockSwitch({ value, onChange, ref }: { value: string; onChange: (text: string) => void; ref: Ref<HTMLInputElement> }) {
  const id = useId()
  return (
    <Switch id={id} ref={ref} checked={value !== outOfStock} onChange={(event) => onChange(event.target.checked ? inStock : outOfStock)}>
      {value === outOfStock ? outOfStock : inStock}
    </Switch>
  )
}

type CertificateFieldProps = {
  /** Empty if there is none. */
  id: string
  url: string | null
  onChange: (id: string) => void
  onBusy: (isBusy: boolean) => void
}

const notDocument = 'A lab certificate must be a PDF file.'

function CertificateField({ id, url, onChange, onBusy }: CertificateFieldProps) {
  const { upload, own } = useDocumentUpload({ id, onChange, onBusy, notDocument })
  const address = own ? own.media.documentUrl : url
  return (
    <FieldGroup legend="Lab certificate">
      <div className="grid gap-2">
        {id && (
          <p className="flex items-center gap-2 text-sm">
            <FileCheck2 aria-hidden="true" className="size-4.5 shrink-0 text-leaf" />
            {address ? (
              <a href={address} target="_blank" rel="noopener" className={`${textLink} min-w-0 truncate`}>
                {own?.name ?? 'Certificate (PDF)'}
              </a>
            ) : (
              'Certificate (PDF)'
            )}
          </p>
        )}
        <FileChoice upload={upload} accept={acceptedDocuments} label="Lab certificate" onRemove={id ? () => onChange('') : null}>
          <FileUp aria-hidden="true" />
          {id ? 'Change' : 'Add a PDF'}
        </FileChoice>
        {!id && upload.state.status === 'none' && (
          <p className="text-muted text-sm">The lab’s analysis. Shoppers can open it from the menu.</p>
        )}
      </div>
    </FieldGroup>
  )
}

type OffersFieldProps = { control: Control<ItemValues, unknown, NewMenuItem>; locations: readonly Location[]; price: string }

function OffersField({ control, locations, price }: OffersFieldProps) {
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
function PictureField({ itemId, type, image, onChange, onBusy }: PictureFieldProps) {
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
