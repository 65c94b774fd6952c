import { useQueryClient } from '@tanstack/react-query'
import type { MyBusiness } from '#contracts/businesses.ts'
import { addMenuItem, changeMenuItems } from '#contracts/calls/menus.ts'
import type { MenuItem, MenuSettings } from '#contracts/menus.ts'
import type { RowEdit } from '#web/entities/menus/menu-edits.ts'
import { findItems, itemsHaveChanged, putItems } from '#web/entities/menus/menus.api.ts'
import { creationKey, dropCreationKey } from '#web/forms/creation-key.ts'
import { formDialog } from '#web/forms/form-dialog.tsx'
import { call } from '#web/lib/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogContent } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { ItemForm } from './item-form.tsx'
import { blankItem, type ItemInput, valuesOfItem } from './item-values.ts'

type ItemDialogProps = {
  business: MyBusiness
  settings: MenuSettings | undefined
  /** Null for a new item. */
  item: MenuItem | null
  edit: RowEdit | undefined
  onClose: () => void
  /** Saved, including unsaved edits from the table. */
  onSaved: (id: string) => void
  onRemove: (item: MenuItem) => void
}

/** All fields of a new or existing item, in a sheet. */
export function ItemDialog({ business, settings, item, edit, onClose, onSaved, onRemove }: ItemDialogProps) {
  const client = useQueryClient()
  const params = { id: business.id }
  // Includes the version, so that a draft of an older version isn't applied to a newer one.
  const subject = item ? `menu-item.${item.id}.${item.version}` : `menu-item.new.${business.id}`

  async function save(values: ItemInput) {
    if (item) {
      const answer = await call(changeMenuItems, { params, body: { changes: [{ ...values, id: item.id, version: item.version }] } })
      putItems(client, answer)
      onSaved(item.id)
    } else {
      await call(addMenuItem, { params, body: values }, { idempotencyKey: creationKey(subject, values) })
      dropCreationKey(subject)
    }
    void itemsHaveChanged(client)
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
