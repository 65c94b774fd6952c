import { useMutation, useQueryClient } from '@tanstack/react-query'
import { acceptCorrection, rejectCorrection, voteOnCorrection, withdrawCorrection } from '#contracts/calls/corrections.ts'
import type { Correction } from '#contracts/corrections.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { correctionLines, correctionTitles, nextWords, voteWords } from './correction-words.ts'
import { correctionHasChanged } from './corrections.api.ts'

type Act = 'agree' | 'disagree' | 'accept' | 'reject' | 'withdraw'

/** One open correction with what the viewer may do about it. */
export function CorrectionItem({ correction, isClaimed }: { correction: Correction; isClaimed: boolean }) {
  const client = useQueryClient()
  const { id, value, createdAt, isYours, yourVote, abilities } = correction
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
      onClick={() => acting.mutate(act)}
      pending={acting.isPending && acting.variables === act}
      pendingText={text}
      disabled={acting.isPending}
    >
      {text}
      <span className="sr-only">({correctionTitles[value.kind]})</span>
    </Button>
  )
  const facts = [isYours ? 'You suggested this' : 'Suggested by a member', voteWords(correction)].filter(Boolean)
  return (
    <div className="grid gap-2">
      <CorrectionValue value={value} />
      <p className="text-muted text-sm">
        {facts.join(' · ')} · <Ago at={createdAt} />
      </p>
      <div className="flex flex-wrap items-center gap-2 empty:hidden">
        {abilities.settle && button('accept', 'Make this change', true)}
        {abilities.settle && button('reject', 'Reject')}
        {abilities.vote && yourVote !== 'agree' && button('agree', 'That’s right')}
        {abilities.vote && yourVote !== 'disagree' && button('disagree', 'That’s wrong')}
        {abilities.withdraw && button('withdraw', 'Withdraw')}
      </div>
      {!abilities.settle && abilities.voteRefusal && <p className="text-muted text-sm">{abilities.voteRefusal}</p>}
    </div>
  )
}

export function CorrectionValue({ value }: Pick<Correction, 'value'>) {
  return (
    <div>
      <p className="font-medium">{correctionTitles[value.kind]}</p>
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
      return call(acceptCorrection, { params })
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
