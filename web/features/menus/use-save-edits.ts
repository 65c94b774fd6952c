import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { addMenuItem, changeMenuItems, type NewMenuItem } from '../../../contracts/menus.ts'
import { ApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { counted } from '../../lib/counted.ts'
import { toast } from '../../ui/toast-store.ts'
import { creationKey, dropCreationKey } from '../onboarding/creation-key.ts'
import { findItems, itemsHaveChanged, putItems } from './menu-caches.ts'
import {
  type CellErrors,
  conflictsOf,
  type Edits,
  errorsOfAnswer,
  type ItemsById,
  inBatches,
  isNewRow,
  keptMine,
  rebased,
  type Saving,
  savingOf,
  withoutRows,
} from './menu-edits.ts'
import type { MenuEdits } from './use-menu-edits.ts'

const rowWords = (count: number) => counted(count, 'item')

/** Sends what was typed: changes in bulk, new items one by one. */
export function useSaveEdits(businessId: string, { edits, settle }: Pick<MenuEdits, 'edits' | 'settle'>) {
  const client = useQueryClient()
  const params = { id: businessId }
  // What the server refused, until the cell is typed into again.
  const [refused, setRefused] = useState<{ edits: Edits; errors: CellErrors }>({ edits: {}, errors: {} })
  const [wasAsked, setAsked] = useState(false)
  const local = savingOf(edits)

  async function sendChanges(changes: Saving['changes']) {
    for (const batch of inBatches(changes)) {
      try {
        const answer = await call(changeMenuItems, { params, body: { changes: batch } })
        const items = new Map(answer.map((item) => [item.id, item]))
        putItems(client, answer)
        // What was typed in the meantime stays, over what was saved.
        settle((now) => answer.reduce((all, { id }) => keptMine(all, items, id), now))
      } catch (error) {
        if (error instanceof ApiError) setRefused({ edits, errors: errorsOfAnswer(error.fields, batch) })
        throw error
      }
    }
  }

  async function sendAdditions(additions: Saving['additions']) {
    for (const { id, item } of additions) {
      try {
        await call(addMenuItem, { params, body: item as NewMenuItem }, { idempotencyKey: creationKey(id, item) })
        dropCreationKey(id)
        settle((now) => withoutRows(now, [id]))
      } catch (error) {
        if (error instanceof ApiError) {
          const fields = Object.entries(error.fields).map(([field, message]) => [`changes.0.${field}`, message])
          setRefused({ edits, errors: errorsOfAnswer(Object.fromEntries(fields), [{ id }]) })
        }
        throw error
      }
    }
  }

  /** Somebody else was faster: what does not touch the same cells goes over the newer versions. @returns whether all of it does */
  async function catchUp(): Promise<Saving['changes'] | null> {
    const ids = Object.keys(edits).filter((id) => !isNewRow(id))
    const items: ItemsById = await findItems(businessId, ids)
    putItems(client, items.values())
    const gone = ids.filter((id) => !items.has(id))
    if (gone.length > 0) {
      toast({
        title: `${rowWords(gone.length)} ${gone.length === 1 ? 'is' : 'are'} no longer on the menu`,
        description: 'Somebody else removed them; what was typed there cannot be saved.',
      })
      void itemsHaveChanged(client)
    }
    const current = rebased(withoutRows(edits, gone), items)
    settle((now) => rebased(withoutRows(now, gone), items))
    return conflictsOf(current, items).length > 0 ? null : savingOf(current).changes
  }

  const saving = useMutation({
    mutationFn: async () => {
      const { changes, additions } = savingOf(edits)
      try {
        await sendChanges(changes)
      } catch (error) {
        if (!(error instanceof ApiError && (error.code === 'conflict' || error.status === 404))) throw error
        const again = await catchUp()
        if (!again) return null
        await sendChanges(again)
      }
      await sendAdditions(additions)
      return changes.length + additions.length
    },
    onSuccess: (count) => {
      if (count === null) return
      setAsked(false)
      toast({ title: 'Menu saved', description: `${rowWords(count)} saved.` })
    },
    onSettled: () => void itemsHaveChanged(client),
  })

  const errors: CellErrors = { ...(wasAsked ? local.errors : withoutBlankCells(local.errors, edits)), ...stillRefused(refused, edits) }
  return {
    errors,
    error: saving.error,
    isSaving: saving.isPending,
    /** @returns the first row with something wrong, when there is one */
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

/** A new row is not scolded for what nobody has come to yet. */
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
