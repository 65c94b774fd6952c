import { useQueryClient } from '@tanstack/react-query'
import type { MyBusiness } from '../../../contracts/businesses.ts'
import { addMenuItem, changeMenuItems, type MenuItem, type MenuSettings, type NewMenuItem } from '../../../contracts/menus.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogContent } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast-store.ts'
import { creationKey, dropCreationKey } from '../onboarding/creation-key.ts'
import { formDialog } from './form-dialog.ts'
import { ItemForm } from './item-form.tsx'
import { blankItem, valuesOfItem } from './item-values.ts'
import { findItems, itemsHaveChanged, putItems } from './menu-caches.ts'
import type { RowEdit } from './menu-edits.ts'

type ItemDialogProps = {
  business: MyBusiness
  settings: MenuSettings | undefined
  /** Null for a new one. */
  item: MenuItem | null
  edit: RowEdit | undefined
  onClose: () => void
  /** It was saved as a whole: what was typed into the table is part of it. */
  onSaved: (id: string) => void
  onRemove: (item: MenuItem) => void
}

/** The sheet with all of one item: a new one, or one to change. */
export function ItemDialog({ business, settings, item, edit, onClose, onSaved, onRemove }: ItemDialogProps) {
  const client = useQueryClient()
  const params = { id: business.id }
  // What was typed over an older version is not laid over a newer one.
  const subject = item ? `menu-item.${item.id}.${item.version}` : `menu-item.new.${business.id}`

  async function save(values: NewMenuItem) {
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
                Remove from the menu
              </Button>
            )
          }
        />
      </DialogContent>
    </Dialog>
  )
}
