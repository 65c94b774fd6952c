import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { acceptCorrection, rejectCorrection, voteOnCorrection, withdrawCorrection } from '#contracts/calls/corrections.ts'
import type { Correction } from '#contracts/corrections.endpoints.ts'
import { MergeDialog } from '#web/entities/merges/merge-dialog.tsx'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { MorePages } from '#web/ui/paged-list.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { correctionLines, correctionTitles, nextWords, voteWords } from './correction-words.ts'
import { correctionHasChanged } from './corrections.api.ts'

type Act = 'agree' | 'disagree' | 'accept' | 'reject' | 'withdraw'

type CorrectionListProps = {
  corrections: Correction[]
  isClaimed: boolean
  hint: ReactNode
  more: ComponentProps<typeof MorePages>['list']
  className?: string
}

export function CorrectionList({ corrections, isClaimed, hint, more, className }: CorrectionListProps) {
  return (
    <Card asChild {...(className && { className })}>
      <section aria-label="Suggested changes">
        <CardBody>
          <h2 className="text-lg">Suggested changes</h2>
          <p className="mt-1 text-muted text-sm">{hint}</p>
          <ul className="mt-1">
            {corrections.map((correction) => (
              <li key={correction.id} className="border-line py-4 not-first:border-t last:pb-0">
                <CorrectionItem correction={correction} isClaimed={isClaimed} />
              </li>
            ))}
          </ul>
          <MorePages list={more} />
        </CardBody>
      </section>
    </Card>
  )
}

function CorrectionItem({ correction, isClaimed }: { correction: Correction; isClaimed: boolean }) {
  const client = useQueryClient()
  const { id, businessId, value, duplicateOf, createdAt, isYours, yourVote, abilities } = correction
  const [isMerging, setMerging] = useState(false)
  const acting = useMutation({
    mutationFn: (act: Act) => send(id, act),
    onSuccess: async (after, act) => {
      toast({ title: doneWords[act], ...(after && act === 'agree' && { description: nextWords(after, isClaimed) }) })
      await correctionHasChanged(client, after ?? { state: 'withdrawn' })
    },
    onError: (error) => {
      toast({ title: 'Nothing was changed', description: messageOf(error), variant: 'destructive' })
      void correctionHasChanged(client, { state: 'open' })
    },
  })
  const button = (act: Act, text: string, isMain = false) => (
    <Button
      size="sm"
      variant={isMain ? 'primary' : 'secondary'}
      onClick={() => !acting.isPending && acting.mutate(act)}
      pending={acting.isPending && acting.variables === act}
      pendingText={text}
      aria-disabled={acting.isPending}
    >
      {text}
      <span className="sr-only">({correctionTitles[value.kind]})</span>
    </Button>
  )
  const facts = [isYours ? 'You suggested this' : 'Suggested by a member', voteWords(correction)].filter(Boolean)
  return (
    <div className="grid gap-2">
      <CorrectionValue correction={correction} />
      <p className="text-muted text-sm">
        {facts.join(' · ')} · <Ago at={createdAt} />
      </p>
      <div className="flex flex-wrap items-center gap-2 empty:hidden">
        {abilities.settle && value.kind !== 'duplicate' && button('accept', 'Make this change', true)}
        {abilities.merge && (
          <Button size="sm" onClick={() => !acting.isPending && setMerging(true)} aria-disabled={acting.isPending}>
            Review merge
          </Button>
        )}
        {abilities.settle && button('reject', 'Reject')}
        {abilities.vote && yourVote !== 'agree' && button('agree', 'That’s right')}
        {abilities.vote && yourVote !== 'disagree' && button('disagree', 'That’s wrong')}
        {abilities.withdraw && button('withdraw', 'Withdraw')}
      </div>
      {isMerging && duplicateOf && (
        <MergeDialog fromId={businessId} intoId={duplicateOf.id} correctionId={id} onClose={() => setMerging(false)} />
      )}
      {!abilities.settle && abilities.voteRefusal && <p className="text-muted text-sm">{abilities.voteRefusal}</p>}
    </div>
  )
}

export function CorrectionValue({ correction: { value, duplicateOf } }: { correction: Correction }) {
  return (
    <div>
      <p className="font-medium">{correctionTitles[value.kind]}</p>
      {value.kind === 'duplicate' && (
        <p className="text-[0.9375rem] wrap-anywhere">
          {duplicateOf ? (
            <>
              The same business as{' '}
              <Link to="/business/$id" params={{ id: duplicateOf.slug }} className={textLink}>
                {duplicateOf.name}
              </Link>
              {duplicateOf.location && `, ${[duplicateOf.address, duplicateOf.location].filter(Boolean).join(', ')}`}
            </>
          ) : (
            'The other listing no longer exists.'
          )}
        </p>
      )}
      {correctionLines(value).map((line) => (
        <p key={line} className="text-[0.9375rem] wrap-anywhere">
          {line}
        </p>
      ))}
    </div>
  )
}

async function send(id: string, act: Act): Promise<Correction | null> {
  const params = { id }
  switch (act) {
    case 'accept':
      return call(acceptCorrection, { params, body: {} })
    case 'reject':
      return call(rejectCorrection, { params })
    case 'withdraw':
      await call(withdrawCorrection, { params })
      return null
    default:
      return call(voteOnCorrection, { params, body: { agrees: act === 'agree' } })
  }
}

const doneWords: Record<Act, string> = {
  agree: 'Thank you for confirming',
  disagree: 'Thank you for letting us know',
  accept: 'Listing updated',
  reject: 'Suggestion rejected',
  withdraw: 'Suggestion withdrawn',
}
