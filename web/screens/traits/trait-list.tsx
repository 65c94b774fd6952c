import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, Plus } from 'lucide-react'
import { useState } from 'react'
import { deleteTrait, orderTraits, updateTrait } from '#contracts/calls/traits.ts'
import { recordedSources } from '#contracts/choices.ts'
import type { Trait } from '#contracts/traits.ts'
import { judgedWords, takenWords } from '#web/entities/traits/trait-words.ts'
import { cacheTraits, refreshTraits } from '#web/entities/traits/traits.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { counted } from '#web/lib/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { lazyDialog } from '#web/ui/lazy-overlays.tsx'
import { toast } from '#web/ui/toast-store.ts'

const TraitDialog = lazyDialog(async () => (await import('./trait-dialog.tsx')).TraitDialog)

type TraitListProps = { huntId: string; traits: readonly Trait[]; onUsual: () => void }

export function TraitList({ huntId, traits, onUsual }: TraitListProps) {
  const client = useQueryClient()
  const [open, setOpen] = useState<Trait | 'new' | null>(null)
  const [leaving, setLeaving] = useState<Trait | null>(null)
  const refresh = () => refreshTraits(client)
  const failed = (error: unknown) => {
    toast({ title: 'The trait couldn’t be changed', description: messageOf(error), variant: 'destructive' })
    // Someone else may have changed the traits, and the next attempt needs their new versions.
    return refresh()
  }
  const order = useMutation({
    mutationFn: (traitIds: string[]) => call(orderTraits, { params: { id: huntId }, body: { traitIds } }),
    onSuccess: (all) => cacheTraits(client, huntId, all),
    onError: failed,
  })
  const archive = useMutation({
    mutationFn: ({ id, version, isArchived }: Trait) => call(updateTrait, { params: { id }, body: { isArchived: !isArchived, version } }),
    onSuccess: refresh,
    onError: failed,
  })
  const remove = useMutation({
    mutationFn: ({ id }: Trait) => call(deleteTrait, { params: { id } }),
    onSuccess: () => {
      setLeaving(null)
      return refresh()
    },
    onError: failed,
  })
  const shown = traits.filter(({ isArchived }) => !isArchived)
  const archived = traits.filter(({ isArchived }) => isArchived)
  // While saving, the buttons aren't `disabled`, which would make them lose focus.
  const move = (at: number, by: number) => {
    if (order.isPending) return
    const ids = shown.map(({ id }) => id)
    const [id] = ids.splice(at, 1)
    if (id !== undefined) ids.splice(at + by, 0, id)
    order.mutate(ids)
  }
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap gap-2">
        <Button size="lg" onClick={() => setOpen('new')}>
          <Plus aria-hidden="true" />
          Add trait
        </Button>
        <Button size="lg" variant="secondary" onClick={onUsual}>
          Standard set
        </Button>
      </div>
      {shown.length > 0 && (
        <ol className="grid divide-y divide-line rounded-card border border-line">
          {shown.map((trait, at) => (
            <li key={trait.id} className="flex flex-wrap items-center gap-x-3 gap-y-2 p-3 sm:flex-nowrap">
              <div className="grid min-w-0 flex-1 basis-52 gap-0.5">
                <p className="flex flex-wrap items-center gap-2 font-medium">
                  {trait.name}
                  {trait.isExpert && <Badge>Expert</Badge>}
                </p>
                <p className="text-muted text-sm">
                  {takenWords(trait)}. {judgedWords(trait)}.{' '}
                  {recordedSources.includes(trait.source) && `${counted(trait.valuesCount, 'value')}.`}
                </p>
              </div>
              <div className="flex items-center gap-1">
                <IconButton
                  label={`Move ${trait.name} up`}
                  disabled={at === 0}
                  aria-disabled={order.isPending || undefined}
                  onClick={() => move(at, -1)}
                >
                  <ArrowUp aria-hidden="true" />
                </IconButton>
                <IconButton
                  label={`Move ${trait.name} down`}
                  disabled={at === shown.length - 1}
                  aria-disabled={order.isPending || undefined}
                  onClick={() => move(at, 1)}
                >
                  <ArrowDown aria-hidden="true" />
                </IconButton>
                <Button variant="secondary" aria-label={`Edit ${trait.name}`} onClick={() => setOpen(trait)}>
                  Edit
                </Button>
                <Button variant="quiet" aria-label={`Archive ${trait.name}`} className="px-3" onClick={() => archive.mutate(trait)}>
                  Archive
                </Button>
              </div>
            </li>
          ))}
        </ol>
      )}
      {archived.length > 0 && (
        <details className="rounded-card border border-line">
          <summary className="flex min-h-12 cursor-pointer items-center px-4 font-medium text-sm">Archived ({archived.length})</summary>
          <ul className="grid divide-y divide-line border-line border-t">
            {archived.map((trait) => (
              <li key={trait.id} className="flex flex-wrap items-center justify-between gap-2 px-4 py-2">
                <span>{trait.name}</span>
                <span className="flex gap-1">
                  <Button variant="secondary" aria-label={`Restore ${trait.name}`} onClick={() => archive.mutate(trait)}>
                    Restore
                  </Button>
                  {trait.valuesCount === 0 && (
                    <Button variant="quiet" aria-label={`Delete ${trait.name}`} onClick={() => setLeaving(trait)}>
                      Delete
                    </Button>
                  )}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {open && <TraitDialog huntId={huntId} trait={open === 'new' ? null : open} onOpenChange={(isOpen) => !isOpen && setOpen(null)} />}
      <ConfirmDialog
        open={leaving !== null}
        onOpenChange={(isOpen) => !isOpen && setLeaving(null)}
        title={`Delete “${leaving?.name ?? ''}”?`}
        confirmText="Delete trait"
        pending={remove.isPending}
        pendingText="Deleting..."
        onConfirm={() => leaving && remove.mutate(leaving)}
      >
        This trait has no values. Its anchors and bounds will be deleted.
      </ConfirmDialog>
    </div>
  )
}
