import { useMutation, useQueryClient } from '@tanstack/react-query'
import { confirmMenu, type MenuItem, removeMenuItems } from '../../../contracts/menus.ts'
import { addressOf } from '../../lib/address.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { counted } from '../../lib/counted.ts'
import { toast } from '../../ui/toast-store.ts'
import { removals } from '../posts/pending-removals.ts'
import { dropItems, itemsHaveChanged } from './menu-caches.ts'
import { inBatches } from './menu-edits.ts'

const itemWords = (count: number) => counted(count, 'item')

/** Says that prices and stock are right, of some items or of the whole menu. */
export function useConfirmMenu(businessId: string) {
  const client = useQueryClient()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async (ids: readonly string[] | null) => {
      if (ids === null) return (await call(confirmMenu, { params: { id: businessId }, body: {} })).confirmedCount
      let count = 0
      for (const batch of inBatches(ids)) {
        count += (await call(confirmMenu, { params: { id: businessId }, body: { ids: batch } })).confirmedCount
      }
      return count
    },
    onSuccess: (count) => {
      toast({ title: 'Confirmed', description: `Shoppers see that ${itemWords(count)} ${count === 1 ? 'was' : 'were'} checked just now.` })
      return itemsHaveChanged(client)
    },
    onError: (error) => toast({ title: 'Error', description: `Nothing was confirmed. ${messageOf(error)}`, variant: 'destructive' }),
  })
  return { confirm: mutate, isConfirming: isPending, isConfirmingAll: isPending && variables === null }
}

/** Hides items, offers an Undo, and takes them off the menu when that has passed. */
export function useRemoveItems(businessId: string) {
  const client = useQueryClient()
  return (items: readonly Pick<MenuItem, 'id' | 'name'>[], onRemoved: (ids: readonly string[]) => void) => {
    const [first] = items
    if (!first) return
    for (const batch of inBatches(items)) {
      const ids = batch.map(({ id }) => id)
      const input = { params: { id: businessId }, body: { ids } }
      removals.remove({
        id: `menu-items-${ids[0]}`,
        hides: ids,
        title: items.length === 1 ? `“${first.name}” removed` : `${itemWords(items.length)} removed`,
        commit: async () => {
          await call(removeMenuItems, input)
          dropItems(client, ids)
          onRemoved(ids)
          await itemsHaveChanged(client)
        },
        commitOnLeave: () =>
          void fetch(addressOf(removeMenuItems, { params: input.params }), {
            method: 'POST',
            credentials: 'same-origin',
            keepalive: true,
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(input.body),
          }),
        onFailed: (error) => toast({ title: 'Error', description: `Nothing was removed. ${messageOf(error)}`, variant: 'destructive' }),
      })
    }
  }
}
