import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FileCheck2, FileUp, ImagePlus } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { type FieldPath, useForm, useWatch } from 'react-hook-form'
import type { MyBusiness } from '#contracts/businesses.ts'
import { addMenuItem, updateMenuItems } from '#contracts/calls/menus.ts'
import type { Media } from '#contracts/media.ts'
import { productCategories } from '#contracts/menu-fields.rules.ts'
import type { ItemField } from '#contracts/menu-fields.ts'
import type { MenuItem, MenuSettings } from '#contracts/menus.ts'
import { locationsOptions } from '#web/entities/locations/locations.api.ts'
import { acceptedDocuments, acceptedImages, pictureProblem } from '#web/entities/media/check-file.ts'
import { FileChoice, useDocumentUpload, useOneUpload } from '#web/entities/media/file-choice.tsx'
import type { RowEdit } from '#web/entities/menus/menu-edits.ts'
import { formRows, sizeFields } from '#web/entities/menus/menu-fields.ts'
import { addItem, findItems, itemsHaveChanged, itemsWereSaved, putItems } from '#web/entities/menus/menus.api.ts'
import { ProductPicture } from '#web/entities/menus/product-picture.tsx'
import { creationKey, dropCreationKey } from '#web/forms/creation-key.ts'
import { DialogActions, formDialog, LoadLatest } from '#web/forms/form-dialog.tsx'
import { useDraft, withDraft } from '#web/forms/form-draft.ts'
import { isConflict, showServerErrors } from '#web/forms/server-errors.ts'
import { call } from '#web/lib/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogContent } from '#web/ui/dialog.tsx'
import { FieldGroup, FormError } from '#web/ui/field.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { toast } from '#web/ui/toast-store.ts'
import {
  blankItem,
  type ItemInput,
  type ItemValues,
  itemResolver,
  MenuFieldControl,
  OffersField,
  SizesField,
  valuesOfItem,
  withoutOpenedFiles,
} from './item-fields.tsx'

type ItemDialogProps = {
  business: MyBusiness
  settings: MenuSettings | undefined
  /** Null for a new item. */
  item: MenuItem | null
  edit: RowEdit | undefined
  onClose: () => void
  /** Called after a save, which includes the item's edits from the table. */
  onSaved: (id: string) => void
  onRemove: (item: MenuItem) => void
}

export function ItemDialog({ business, settings, item, edit, onClose, onSaved, onRemove }: ItemDialogProps) {
  const client = useQueryClient()
  const params = { id: business.id }
  // Includes the version, so drafts of an older version don't apply to a newer one.
  const subject = item ? `menu-item.${item.id}.${item.version}` : `menu-item.new.${business.id}`

  async function save(values: ItemInput, opened: ItemValues) {
    if (item) {
      const change = { ...withoutOpenedFiles(values, opened), id: item.id, version: item.version }
      const answer = await call(updateMenuItems, { params, body: { changes: [change] } })
      putItems(client, answer)
      itemsWereSaved(client)
      onSaved(item.id)
    } else {
      const answer = await call(addMenuItem, { params, body: values }, { idempotencyKey: creationKey(subject, values) })
      dropCreationKey(subject)
      addItem(client, business.id, answer)
      void itemsHaveChanged(client)
    }
    toast({ title: item ? 'Item saved' : `“${values.name}” added` })
    onClose()
  }

  async function showNewest() {
    if (!item) return
    const items = await findItems(business.id, [item.id])
    putItems(client, items.values())
    if (items.size > 0) return
    toast({ title: 'This item is no longer on the menu' })
    await itemsHaveChanged(client)
    onClose()
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={item ? item.name : 'Add an item'} size="lg" {...formDialog(item === null)}>
        <ItemForm
          key={item?.version ?? 0}
          business={business}
          subject={subject}
          item={item}
          initial={item ? valuesOfItem(item, edit) : blankItem}
          settings={settings}
          submitText={item ? 'Save item' : 'Add item'}
          onSubmit={save}
          onCancel={onClose}
          onConflict={item ? () => void showNewest() : undefined}
          start={
            item && (
              <Button
                variant="quiet"
                className="-ml-4 justify-self-start text-clay!"
                onClick={() => {
                  onRemove(item)
                  onClose()
                }}
              >
                Remove from menu
              </Button>
            )
          }
        />
      </DialogContent>
    </Dialog>
  )
}

type ItemFormProps = {
  business: { id: string }
  subject: string
  item: MenuItem | null
  initial: ItemValues
  settings: MenuSettings | undefined
  submitText: string
  /** `opened` is the item as it was when the form opened. @throws like `call` */
  onSubmit: (item: ItemInput, opened: ItemValues) => Promise<void>
  onCancel: () => void
  /** Shows the current version after someone else changed the item. */
  onConflict?: (() => void) | undefined
  start?: ReactNode
}

function ItemForm({ business, subject, item, initial, settings, submitText, onSubmit, onCancel, onConflict, start }: ItemFormProps) {
  const [opened] = useState(initial)
  // The draft omits the photo, which can't be shown again after a reload.
  const [defaultValues] = useState(() => ({ ...withDraft(subject, initial), imageId: initial.imageId }))
  const form = useForm<ItemValues, unknown, ItemInput>({ defaultValues, resolver: itemResolver, mode: 'onTouched' })
  const { control, setValue } = form
  const dropDraft = useDraft(form, subject)
  const [image, setImage] = useState<Media | null>(item?.image ?? null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isConflicting, setConflicting] = useState(false)
  const [uploading, setUploading] = useState({ picture: false, certificate: false })
  const isUploading = uploading.picture || uploading.certificate
  const { data: locations = [] } = useQuery(locationsOptions(business.id))
  const [certificateId, name, category, subcategory] = useWatch({ control, name: ['certificateId', 'name', 'category', 'subcategory'] })

  const submit = form.handleSubmit(async (values) => {
    // Submitting with Enter bypasses the button, which is disabled during uploads.
    if (isUploading) return
    setFailure(null)
    try {
      await onSubmit(values, opened)
      dropDraft()
    } catch (error) {
      setConflicting(isConflict(error))
      setFailure(showServerErrors(form, error, fieldPaths(form.getValues('variants')), (field) => (item ? `changes.0.${field}` : field)))
    }
  })
  const cancel = () => {
    dropDraft()
    onCancel()
  }
  const isOutdated = isConflicting && onConflict !== undefined

  return (
    <form noValidate onSubmit={submit} aria-label="Item" className="grid gap-5">
      <div className="grid gap-4 sm:grid-cols-2">
        {formRows.map((row) => (
          <div key={row[0]} className={rowLooks[row[0] as ItemField]}>
            {row.map((name) => (
              <MenuFieldControl key={name} control={control} name={name} settings={settings} />
            ))}
          </div>
        ))}
      </div>
      <SizesField control={control} settings={settings} />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <PictureField
          product={{
            id: item?.id ?? subject,
            name,
            subcategory,
            category: productCategories.find((each) => each === category) ?? null,
            image,
          }}
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
      </div>
      {locations.length > 1 && <OffersField control={control} locations={locations} />}
      <FormError action={isOutdated && <LoadLatest onLoad={onConflict} />}>
        {failure && (isOutdated ? 'Someone else changed this item in the meantime.' : failure)}
      </FormError>
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

/** In page order. */
const fieldPaths = (variants: ItemValues['variants']): FieldPath<ItemValues>[] => [
  ...formRows.flat(),
  ...variants.flatMap(({ offers }, place): FieldPath<ItemValues>[] => [
    ...(['isAvailable', ...sizeFields] as const).map((key) => `variants.${place}.${key}` as const),
    ...offers.flatMap((_, index) => [`variants.${place}.offers.${index}.price`, `variants.${place}.offers.${index}.salePrice`] as const),
  ]),
]

const potency = 'grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_5.5rem] items-start gap-2'
const rowLooks: Partial<Record<ItemField, string>> = { thc: potency, cbd: potency, description: 'sm:col-span-2' }

type CertificateFieldProps = {
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

type PictureFieldProps = {
  product: ComponentProps<typeof ProductPicture>['product']
  onChange: (image: Media | null) => void
  onBusy: (isBusy: boolean) => void
}

function PictureField({ product, onChange, onBusy }: PictureFieldProps) {
  const { image } = product
  const upload = useOneUpload({ problemOf: pictureProblem, onReady: onChange, onBusy })
  return (
    <FieldGroup legend="Picture">
      <div className="flex items-start gap-4">
        <ProductPicture product={product} className="size-24" />
        <div className="grid min-w-0 flex-1 gap-2">
          <FileChoice upload={upload} accept={acceptedImages} label="Product photo" onRemove={image ? () => onChange(null) : null}>
            <ImagePlus aria-hidden="true" />
            {image ? 'Change' : 'Add a photo'}
          </FileChoice>
          {!image && upload.state.status === 'none' && <p className="text-muted text-sm">Without a photo, we show this drawing.</p>}
        </div>
      </div>
    </FieldGroup>
  )
}
