import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { acceptCorrection } from '#contracts/calls/corrections.ts'
import { mergeBusiness, previewMerge } from '#contracts/calls/merges.ts'
import type { MergePreview } from '#contracts/merges.endpoints.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call, callOptions } from '#web/lib/call.ts'
import { formatList } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { FormError } from '#web/ui/field.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'

type MergeDialogProps = {
  fromId: string
  intoId: string
  /** Set to accept the suggestion with this ID instead of merging directly. */
  correctionId?: string
  onClose: () => void
  onMerged?: ((kept: MergePreview['into']) => void) | undefined
}

export function MergeDialog({ fromId, intoId, correctionId, onClose, onMerged }: MergeDialogProps) {
  const client = useQueryClient()
  const [isSwapped, setSwapped] = useState(false)
  const [id, into] = isSwapped ? [intoId, fromId] : [fromId, intoId]
  const preview = useQuery({
    ...callOptions(previewMerge, { params: { id }, query: { into } }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  const isSwapping = preview.isPlaceholderData
  const merging = useMutation({
    mutationFn: async (shown: MergePreview) => {
      if (correctionId === undefined) await call(mergeBusiness, { params: { id }, body: { into } })
      else await call(acceptCorrection, { params: { id: correctionId }, body: { keep: isSwapped ? 'this' : 'other' } })
      return shown
    },
    onSuccess: (shown) => {
      onClose()
      toast({ title: 'Businesses merged', description: namesOf(shown).into })
      onMerged?.(shown.into)
      // Any list, feed, count or page may include the merged business.
      void client.invalidateQueries()
    },
  })
  const { data } = preview
  const isPossible = data !== undefined && data.obstacle === null
  const swap = () => {
    if (isSwapping || merging.isPending) return
    merging.reset()
    setSwapped(!isSwapped)
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        size="md"
        title={data ? `Merge into ${namesOf(data).into}?` : 'Merge businesses'}
        description="This can’t be undone."
        actions={
          <>
            <DialogCancel />
            {isPossible && (
              <Button
                variant="danger"
                onClick={() => !isSwapping && merging.mutate(data)}
                pending={merging.isPending}
                pendingText="Merging..."
                aria-disabled={isSwapping}
              >
                Merge
              </Button>
            )}
          </>
        }
      >
        {data ? (
          <div className="grid gap-4">
            <dl className="grid gap-3 sm:grid-cols-2" aria-live="polite">
              <Side title="Removed" business={data.from} />
              <Side title="Kept" business={data.into} />
            </dl>
            <Button
              variant="secondary"
              size="sm"
              className="justify-self-start"
              onClick={swap}
              aria-disabled={isSwapping || merging.isPending}
            >
              Keep the other one instead
            </Button>
            {data.obstacle === null ? (
              <ul className="grid list-disc gap-1.5 pl-5 text-[0.9375rem]">
                {mergeEffects(data).map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            ) : (
              <FormError>{data.obstacle}</FormError>
            )}
            {merging.isError && <FormError>{messageOf(merging.error)}</FormError>}
          </div>
        ) : preview.error ? (
          <LoadError title="The merge preview couldn’t be loaded" query={preview} />
        ) : (
          <SkeletonGroup label="Loading..." className="grid gap-3">
            <Skeleton className="h-16" />
            <Skeleton className="h-32" />
          </SkeletonGroup>
        )}
      </DialogContent>
    </Dialog>
  )
}

function Side({ title, business: { name, address, location, phone } }: { title: string; business: MergePreview['from'] }) {
  return (
    <div className="rounded-input border border-line p-3">
      <dt className="text-muted text-sm">{title}</dt>
      <dd className="font-medium wrap-anywhere">
        {name}
        <span className="block font-normal text-[0.9375rem] text-muted">{[address, location, phone].filter(Boolean).join(' · ')}</span>
      </dd>
    </div>
  )
}

/** Shops of the same name are told apart by their city, or by their street if the city is the same. */
function namesOf({ from, into }: MergePreview): { from: string; into: string } {
  const place = from.name === into.name && (['location', 'address'] as const).find((part) => from[part] !== into[part])
  const nameOf = (business: MergePreview['from']) => [business.name, place && business[place]].filter(Boolean).join(', ')
  return { from: nameOf(from), into: nameOf(into) }
}

export function mergeEffects(preview: MergePreview): string[] {
  const { counts, losesMenu } = preview
  const names = namesOf(preview)
  const isSame = names.from === names.into
  const from = isSame ? `${names.from} (removed)` : names.from
  const into = isSame ? `${names.into} (kept)` : names.into
  const moving = [
    some(counts.followers, 'follower'),
    some(counts.subscribers, 'subscriber'),
    some(counts.favorites, 'favorite'),
    some(counts.reviews, 'review'),
    some(counts.posts, 'post'),
    some(counts.photos, 'photo'),
    some(counts.licenses, 'license'),
    some(counts.conversations, 'conversation'),
    losesMenu ? null : some(counts.menuItems, 'menu item'),
  ].filter((part) => part !== null)
  return [
    ...(moving.length > 0 ? [`${into} will get ${formatList(moving)} from ${from}. People who follow both are counted once.`] : []),
    ...(counts.reviewsTakenOff > 0
      ? [
          `${some(counts.reviewsTakenOff, 'review')} will no longer be shown, because ${
            counts.reviewsTakenOff === 1 ? 'its author' : 'each author'
          } wrote a newer one or is on the team. Authors can still find theirs in their data.`,
        ]
      : []),
    ...(losesMenu ? [`The menu of ${from} will be deleted, because ${into} has one.`] : []),
    `${into} keeps its name, address and description. Its empty fields will be filled in.`,
    `Links to ${from} will redirect to ${into}.`,
    `Visit statistics for ${from} will be deleted.`,
  ]
}

const some = (count: number, what: string): string | null => (count === 0 ? null : `${count} ${what}${count === 1 ? '' : 's'}`)
