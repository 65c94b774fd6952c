import { mutationOptions, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { addMenuItem, confirmMenu, removeMenuItems, updateMenuItems } from '#contracts/calls/menus.ts'
import type { MenuItem, NewMenuItem } from '#contracts/menus.ts'
import {
  applySaved,
  type CellErrors,
  conflictsOf,
  type Edits,
  errorsOfAnswer,
  goneVariants,
  type ItemsById,
  inBatches,
  isNewRow,
  isStockOnly,
  newRowId,
  rebased,
  restoredEdits,
  type Saving,
  savingOf,
  withoutRows,
} from '#web/entities/menus/menu-edits.ts'
import { addItem, dropItems, everyItem, findItems, itemsHaveChanged, itemsWereSaved, putItems } from '#web/entities/menus/menus.api.ts'
import { creationKey, dropCreationKey } from '#web/forms/creation-key.ts'
import { getTabItem, removeTabItem, setTabItem } from '#web/forms/tab-memory.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { counted } from '#web/lib/format.ts'
import { randomKey } from '#web/lib/random-key.ts'
import { removals } from '#web/ui/pending-removals.ts'
import { toast } from '#web/ui/toast-store.ts'

type History = { edits: Edits; past: readonly Edits[]; future: readonly Edits[] }

const maxUndoSteps = 100

/** Edits survive a reload of the tab. */
export function useMenuEdits(businessId: string) {
  const name = `menu-edits.${businessId}`
  const [{ edits, past, future }, setHistory] = useState<History>(() => ({ edits: restoredEdits(getTabItem(name)), past: [], future: [] }))
  useEffect(() => (Object.keys(edits).length > 0 ? setTabItem(name, edits) : removeTabItem(name)), [name, edits])
  return {
    edits,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    change: (make: (edits: Edits) => Edits) =>
      setHistory((before) => {
        const next = make(before.edits)
        return next === before.edits ? before : { edits: next, past: [...before.past, before.edits].slice(-maxUndoSteps), future: [] }
      }),
    undo: () =>
      setHistory((before) => {
        const last = before.past.at(-1)
        return last ? { edits: last, past: before.past.slice(0, -1), future: [before.edits, ...before.future] } : before
      }),
    redo: () =>
      setHistory((before) => {
        const [next, ...rest] = before.future
        return next ? { edits: next, past: [...before.past, before.edits], future: rest } : before
      }),
    /** Call after items have been saved or refetched. Clears the history, because its edits refer to old versions. */
    settle: (make: (edits: Edits) => Edits) =>
      setHistory((before) => {
        const next = make(before.edits)
        return next === before.edits ? before : { edits: next, past: [], future: [] }
      }),
  }
}

export type MenuEdits = ReturnType<typeof useMenuEdits>

const itemWords = (count: number) => counted(count, 'item')

export function useSaveEdits(businessId: string, { edits, settle }: Pick<MenuEdits, 'edits' | 'settle'>) {
  const client = useQueryClient()
  const params = { id: businessId }
  const [refused, setRefused] = useState<{ edits: Edits; errors: CellErrors }>({ edits: {}, errors: {} })
  const [wasAsked, setAsked] = useState(false)
  const local = savingOf(edits)

  async function sendChanges(changes: Saving['changes'], sent: Edits) {
    for (const batch of inBatches(changes)) {
      const old = everyItem(client, businessId, undefined)
      try {
        const answer = await call(updateMenuItems, { params, body: { changes: batch } })
        putItems(client, answer)
        const listed = everyItem(client, businessId, undefined)
        // Edits made during the request apply to the saved items. Items removed in the meantime have no edits.
        const kept = (now: Edits) => answer.filter(({ id }) => now[id] || listed.has(id))
        settle((now) => kept(now).reduce((all, item) => applySaved(all, sent, item, item.id, old.get(item.id)), now))
      } catch (error) {
        if (error instanceof ApiError) setRefused({ edits: sent, errors: errorsOfAnswer(error.fields, batch, sent) })
        throw error
      }
    }
  }

  async function sendAdditions(additions: Saving['additions']) {
    for (const { id, item } of additions) {
      try {
        const answer = await call(addMenuItem, { params, body: item as NewMenuItem }, { idempotencyKey: creationKey(id, item) })
        dropCreationKey(id)
        addItem(client, businessId, answer)
        settle((now) => applySaved(now, edits, answer, id))
      } catch (error) {
        if (error instanceof ApiError) {
          const fields = Object.entries(error.fields).map(([field, message]) => [`changes.0.${field}`, message])
          setRefused({ edits, errors: errorsOfAnswer(Object.fromEntries(fields), [{ id }], edits) })
        }
        throw error
      }
    }
  }

  /** Resolves a version conflict by moving edits to the current versions. @returns edits to send, or null if there are conflicts */
  async function catchUp(): Promise<Edits | null> {
    const ids = Object.keys(edits).filter((id) => !isNewRow(id))
    const items: ItemsById = await findItems(businessId, ids)
    putItems(client, items.values())
    const gone = ids.filter((id) => !items.has(id))
    if (gone.length > 0) {
      toast({
        title: `${itemWords(gone.length)} ${gone.length === 1 ? 'is' : 'are'} no longer on the menu`,
        description: `Someone else removed ${gone.length === 1 ? 'it' : 'them'}, so your edits can’t be saved.`,
      })
      void itemsHaveChanged(client)
    }
    const goneSizes = goneVariants(edits, items)
    if (goneSizes > 0) {
      toast({
        title: `${counted(goneSizes, 'size')} you edited ${goneSizes === 1 ? 'is' : 'are'} no longer on the menu`,
        description: `Someone else removed ${goneSizes === 1 ? 'it' : 'them'}, so your edits can’t be saved.`,
      })
    }
    const current = rebased(withoutRows(edits, gone), items)
    settle((now) => rebased(withoutRows(now, gone), items))
    return conflictsOf(current, items).length > 0 ? null : current
  }

  const saving = useMutation({
    mutationFn: async () => {
      const { changes, additions } = savingOf(edits)
      try {
        await sendChanges(changes, edits)
      } catch (error) {
        if (!(error instanceof ApiError && (error.code === 'conflict' || error.status === 404))) throw error
        const again = await catchUp()
        if (!again) return null
        await sendChanges(savingOf(again).changes, again)
      }
      await sendAdditions(additions)
      return { changed: changes.length, added: additions.length }
    },
    onSuccess: (saved) => {
      if (saved === null) return
      setAsked(false)
      toast({ title: 'Menu saved', description: `${itemWords(saved.changed + saved.added)} saved.` })
    },
    onSettled: (saved, error) => {
      if (error || saved?.added) void itemsHaveChanged(client)
      else itemsWereSaved(client)
    },
  })

  const errors: CellErrors = { ...(wasAsked ? local.errors : withoutBlankCells(local.errors, edits)), ...stillRefused(refused, edits) }
  return {
    errors,
    error: saving.error,
    isSaving: saving.isPending,
    /** @returns the ID of the first row with an error, if any */
    save(): string | null {
      setAsked(true)
      const [wrong] = Object.keys(local.errors)
      if (wrong) return wrong
      setRefused({ edits: {}, errors: {} })
      if (!saving.isPending) saving.mutate()
      return null
    },
    reset() {
      saving.reset()
      setAsked(false)
      setRefused({ edits: {}, errors: {} })
    },
  }
}

/**
 * While `isOn`, immediately saves edits that change only the stock, because people who flip a switch on a phone often put it away right
 * after. Tries each change once.
 * @returns whether nothing is left for the person to do
 */
export function useInstantStock(isOn: boolean, edits: Edits, saving: ReturnType<typeof useSaveEdits>): boolean {
  const isInstant = isOn && isStockOnly(edits)
  const tried = useRef<Edits | null>(null)
  const save = useEffectEvent((next: Edits) => {
    if (tried.current === next) return
    tried.current = next
    saving.save()
  })
  const { isSaving } = saving
  // Edits made during a save are saved after it.
  useEffect(() => {
    if (isInstant && !isSaving) save(edits)
  }, [isInstant, isSaving, edits])
  return isInstant && !saving.error && Object.keys(saving.errors).length === 0
}

function withoutBlankCells(errors: CellErrors, edits: Edits): CellErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([id, cells]) => [
      id,
      Object.fromEntries(Object.entries(cells).filter(([key]) => edits[id]?.cells[key as keyof typeof cells] !== undefined)),
    ]),
  )
}

function stillRefused({ edits: then, errors }: { edits: Edits; errors: CellErrors }, now: Edits): CellErrors {
  return Object.fromEntries(Object.entries(errors).filter(([id]) => now[id] !== undefined && now[id] === then[id]))
}

export const makeRowId = (): string => newRowId(randomKey(12))

/** Confirms the whole menu if the IDs are null. */
export const confirmOptions = (client: QueryClient, businessId: string) =>
  mutationOptions({
    mutationFn: async (ids: readonly string[] | null) => {
      if (ids === null) return (await call(confirmMenu, { params: { id: businessId }, body: {} })).confirmedCount
      let count = 0
      for (const batch of inBatches(ids)) {
        count += (await call(confirmMenu, { params: { id: businessId }, body: { ids: batch } })).confirmedCount
      }
      return count
    },
    onSuccess: (count) =>
      toast({
        title: 'Confirmed',
        description: `Shoppers will see that ${itemWords(count)} ${count === 1 ? 'was' : 'were'} just checked.`,
      }),
    onError: (error, ids) =>
      toast({
        title: 'Error',
        description: `${ids && inBatches(ids).length > 1 ? 'Some items weren’t' : 'Nothing was'} confirmed. ${messageOf(error)}`,
        variant: 'destructive',
      }),
    onSettled: () => itemsHaveChanged(client),
  })

export function useConfirmMenu(businessId: string) {
  const { mutate, isPending, variables } = useMutation(confirmOptions(useQueryClient(), businessId))
  return { confirm: mutate, isConfirming: isPending, isConfirmingAll: isPending && variables === null }
}

type RemoveItems = (items: readonly Pick<MenuItem, 'id' | 'name'>[], onRemoved: (ids: readonly string[]) => void) => void

export function useRemoveItems(businessId: string): RemoveItems {
  const client = useQueryClient()
  return (items, onRemoved) => removeItems(client, businessId, items, onRemoved)
}

/** One toast undoes all batches, because the next toast would close the one before. */
export function removeItems(client: QueryClient, businessId: string, ...[items, onRemoved]: Parameters<RemoveItems>): void {
  const [first] = items
  if (!first) return
  const batches = inBatches(items.map(({ id }) => id))
  async function removeBatch(ids: readonly string[]) {
    const input = { params: { id: businessId }, body: { ids: [...ids] } }
    await call(removeMenuItems, input, { keepalive: batches.length <= maxKeepaliveBatches })
    dropItems(client, ids)
    onRemoved(ids)
  }
  removals.remove({
    id: `menu-items-${first.id}`,
    hides: items.map(({ id }) => id),
    title: items.length === 1 ? `“${first.name}” removed` : `${itemWords(items.length)} removed`,
    commit: () => Promise.all(batches.map(removeBatch)).finally(() => itemsHaveChanged(client)),
    onFailed: (error) =>
      toast({
        title: 'Error',
        description: `${batches.length > 1 ? 'Some items weren’t' : 'Nothing was'} removed. ${messageOf(error)}`,
        variant: 'destructive',
      }),
  })
}

/** Each batch has up to 20 KB of IDs. Browsers refuse requests that outlive the page if their bodies exceed 64 KB in total. */
const maxKeepaliveBatches = 3
