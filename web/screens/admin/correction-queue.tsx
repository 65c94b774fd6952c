import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { acceptCorrection, rejectCorrection, undoCorrection } from '#contracts/calls/corrections.ts'
import type { Correction, CorrectionCase } from '#contracts/corrections.endpoints.ts'
import { CorrectionValue } from '#web/entities/corrections/correction-list.tsx'
import { voteWords } from '#web/entities/corrections/correction-words.ts'
import { correctionCasesOptions, correctionHasChanged } from '#web/entities/corrections/corrections.api.ts'
import { MergeDialog } from '#web/entities/merges/merge-dialog.tsx'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { toast } from '#web/ui/toast-store.ts'
import { ReviewCard, ReviewQueue } from './review-queue.tsx'

const states = ['open', 'settled'] as const
const names = { open: 'Open', settled: 'Resolved' }

export function CorrectionQueue() {
  const [state, setState] = useState<(typeof states)[number]>('open')
  const list = useInfiniteQuery(correctionCasesOptions(state))
  return (
    <div className="grid gap-4">
      <fieldset className="flex min-w-0 gap-2">
        <legend className="sr-only">Show</legend>
        {states.map((each) => (
          <Chip key={each} pressed={each === state} onClick={() => setState(each)}>
            {names[each]}
          </Chip>
        ))}
      </fieldset>
      <ReviewQueue
        list={list}
        what="suggested changes"
        isPending={state === 'open'}
        empty={
          state === 'open'
            ? 'Changes that members suggest appear here. Owners decide on changes to their own business first, and you won’t see your own suggestions.'
            : 'Suggested changes that were made or rejected appear here. You can undo any that were made, except merges.'
        }
        idOf={({ correction }) => correction.id}
      >
        {(item, onDecided) => <Case item={item} onDecided={onDecided} />}
      </ReviewQueue>
    </div>
  )
}

const outcomes: Partial<Record<Correction['state'], string>> = { applied: 'Made', rejected: 'Rejected', undone: 'Undone' }
const settledBy = { members: 'by members', owner: 'by the owner', moderators: 'by moderators' } as const

function Case({ item, onDecided }: { item: CorrectionCase; onDecided: () => void }) {
  const { correction, business, author } = item
  const { state, settledAs, settledAt, createdAt, disagreeCount } = correction
  return (
    <ReviewCard
      label={`Change to ${business.name}`}
      business={business}
      subtitle={[business.address, business.location, business.phone].filter(Boolean).join(' · ')}
      createdAt={settledAt ?? createdAt}
      badges={
        <>
          {disagreeCount > 0 && <Badge variant="clay">Disputed</Badge>}
          {business.isClaimed && <Badge variant="outline">Has an owner</Badge>}
          {outcomes[state] && (
            <Badge variant={state === 'applied' ? 'leaf' : 'outline'}>
              {outcomes[state]} {settledAs && settledBy[settledAs]}
            </Badge>
          )}
        </>
      }
    >
      <CorrectionValue correction={correction} />
      <p className="text-muted text-sm">
        Suggested by{' '}
        <Link to="/people/$id" params={{ id: author.id }} className={textLink}>
          {author.name}
        </Link>
        {voteWords(correction) && ` · ${voteWords(correction)}`}
      </p>
      <Decision correction={correction} name={business.name} onDecided={onDecided} />
    </ReviewCard>
  )
}

type DecisionProps = { correction: Correction; name: string; onDecided: () => void }

const acts = {
  accept: { endpoint: acceptCorrection, done: 'Listing updated' },
  reject: { endpoint: rejectCorrection, done: 'Suggestion rejected' },
  undo: { endpoint: undoCorrection, done: 'Change undone' },
} as const

function Decision({ correction: { id, businessId, value, duplicateOf, state, abilities }, name, onDecided }: DecisionProps) {
  const [isMerging, setMerging] = useState(false)
  const client = useQueryClient()
  const deciding = useMutation({
    mutationFn: (act: keyof typeof acts) => call(acts[act].endpoint, { params: { id } }),
    onSuccess: async (correction, act) => {
      toast({
        title: acts[act].done,
        description: name,
        ...(act === 'accept' && { action: { label: 'Undo', onClick: () => deciding.mutate('undo') } }),
      })
      onDecided()
      await correctionHasChanged(client, correction)
    },
    onError: (error) => {
      toast({ title: 'The decision wasn’t saved', description: messageOf(error), variant: 'destructive' })
      void correctionHasChanged(client, { state: 'open' })
    },
  })
  // While saving, the buttons aren't `disabled`, which would make them lose focus.
  const deciderOf = (act: keyof typeof acts) => ({
    onClick: () => !deciding.isPending && deciding.mutate(act),
    pending: deciding.isPending && deciding.variables === act,
    'aria-disabled': deciding.isPending,
  })
  if (state === 'open') {
    return (
      <div className="flex flex-wrap gap-3">
        {value.kind !== 'duplicate' && (
          <Button {...deciderOf('accept')} pendingText="Saving...">
            Make this change
          </Button>
        )}
        {abilities.merge && (
          <Button onClick={() => !deciding.isPending && setMerging(true)} aria-disabled={deciding.isPending}>
            Review merge
          </Button>
        )}
        <Button variant="secondary" {...deciderOf('reject')} pendingText="Rejecting...">
          Reject
        </Button>
        {isMerging && duplicateOf && (
          <MergeDialog
            fromId={businessId}
            intoId={duplicateOf.id}
            correctionId={id}
            onClose={() => setMerging(false)}
            onMerged={onDecided}
          />
        )}
      </div>
    )
  }
  if (state !== 'applied' || value.kind === 'duplicate') return null
  return (
    <div>
      <Button variant="secondary" {...deciderOf('undo')} pendingText="Undoing...">
        Undo
      </Button>
    </div>
  )
}
