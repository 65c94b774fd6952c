import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { decideAppeal, type ModerationAppeal } from '../../../contracts/moderation.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { Field, FieldError } from '../../ui/field.tsx'
import { showErrors } from '../../ui/focus-first-error.ts'
import { RadioCard, RadioCards } from '../../ui/radio-cards.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { toast } from '../../ui/toast-store.ts'
import { forget, recall, remember } from '../accounts/tab-memory.ts'
import { refreshDesk } from './moderation.api.ts'

type Outcome = 'upheld' | 'overturned'

const choices: readonly { outcome: Outcome; title: string; description: string }[] = [
  { outcome: 'upheld', title: 'Uphold', description: 'The decision was right and stays' },
  { outcome: 'overturned', title: 'Overturn', description: 'It is taken back: all is as before' },
]

/** The second look, with an answer that the person reads. It is final. */
export function AppealDecision({
  appeal: {
    id,
    person,
    deed: { caseId },
  },
  onDecided,
}: {
  appeal: ModerationAppeal
  onDecided: () => void
}) {
  const client = useQueryClient()
  const key = `draft.appeal-answer.${id}`
  const form = useRef<HTMLFormElement>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [answer, setAnswer] = useState(() => {
    const kept = recall(key)
    return typeof kept === 'string' ? kept : ''
  })
  const [isRefused, setRefused] = useState(false)
  const reload = () => refreshDesk(client, caseId)
  const deciding = useMutation({
    mutationFn: (chosen: Outcome) => call(decideAppeal, { params: { id }, body: { outcome: chosen, answer } }),
    onSuccess: async (decided) => {
      forget(key)
      toast({ title: decided.outcome === 'overturned' ? 'Overturned' : 'Upheld', description: person?.name })
      await reload()
      onDecided()
    },
    onError: (error) => {
      // Somebody else decided meanwhile: the list says what.
      if (!(error instanceof ApiError) || error.status !== 409) return
      toast({ title: 'Not decided', description: messageOf(error), variant: 'destructive' })
      void reload()
    },
  })
  const sent = deciding.error instanceof ApiError ? deciding.error.fields : {}
  const outcomeError = isRefused && !outcome ? 'Choose one' : sent.outcome
  const answerError = isRefused && answer.trim() === '' ? 'Say why, in words for the person' : sent.answer

  function submit(event: FormEvent) {
    event.preventDefault()
    if (outcome && answer.trim() !== '') {
      if (!deciding.isPending) deciding.mutate(outcome)
      return
    }
    showErrors(form.current, () => setRefused(true))
  }

  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-4 border-line border-t pt-5">
      <RadioCards legend="Your decision" error={outcomeError} className="max-w-xl">
        {choices.map((choice) => (
          <RadioCard
            key={choice.outcome}
            name={`outcome-${id}`}
            value={choice.outcome}
            title={choice.title}
            description={choice.description}
            checked={outcome === choice.outcome}
            onChange={() => setOutcome(choice.outcome)}
            className="p-3!"
          />
        ))}
      </RadioCards>
      <Field
        label="Answer"
        hint={`${person?.name ?? 'The person'} reads this. It is the last word: they cannot appeal again.`}
        error={answerError}
      >
        <Textarea
          rows={3}
          maxLength={2000}
          value={answer}
          onChange={(event) => {
            setAnswer(event.target.value)
            remember(key, event.target.value)
          }}
        />
      </Field>
      {deciding.isError && Object.keys(sent).length === 0 && (
        <div role="alert">
          <FieldError>{messageOf(deciding.error)}</FieldError>
        </div>
      )}
      <div>
        <Button type="submit" pending={deciding.isPending} pendingText="Deciding...">
          {outcome === 'overturned' ? 'Overturn' : outcome === 'upheld' ? 'Uphold' : 'Decide'}
        </Button>
      </div>
    </form>
  )
}
