import { type FormEvent, useState } from 'react'
import { answerTasteCard, maxRemarkLength, maxTasterLength, type ScoreValue, type TasteCard } from '../../../contracts/blind-panels.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { Field, FieldError } from '../../ui/field.tsx'
import { showErrors } from '../../ui/focus-first-error.ts'
import { Input } from '../../ui/input.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { ValueInput } from '../traits/value-input.tsx'

type TasteFormProps = { token: string; card: TasteCard; onSent: (card: TasteCard) => void; onRefused: () => void }
type Draft = { scores: Record<number, ScoreValue>; taster: string; comment: string }

/** The questions, one under the other, with buttons for cold fingers. What was chosen survives a reload. */
export function TasteForm({ token, card, onSent, onRefused }: TasteFormProps) {
  const [draft, keepDraft] = useDraft(token)
  const [first] = useState(draft)
  const [problem, setProblem] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const answered = card.questions.filter(({ question }) => draft.scores[question])

  const setDraft = (next: Draft) => {
    setProblem(null)
    keepDraft(next)
  }

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    // It would be left out without a word, and a card is sent once.
    if (form.querySelector('[aria-invalid="true"]'))
      return showErrors(form, () => setProblem('Correct the marked answer, or leave it empty.'))
    if (answered.length === 0) return setProblem('Answer at least one question.')
    setProblem(null)
    setSending(true)
    const scores = answered.flatMap(({ question }) => {
      const value = draft.scores[question]
      return value ? { question, value } : []
    })
    try {
      onSent(
        await call(answerTasteCard, { params: { token }, body: { isAdult: true, scores, taster: draft.taster, comment: draft.comment } }),
      )
      forgetDraft(token)
    } catch (error) {
      setProblem(messageOf(error))
      if (error instanceof ApiError && (error.status === 409 || error.status === 404)) onRefused()
    } finally {
      setSending(false)
    }
  }

  return (
    <form noValidate onSubmit={(event) => void send(event)} className="grid grid-cols-[minmax(0,1fr)] gap-7">
      {card.instructions !== '' && <p className="whitespace-pre-line text-muted wrap-anywhere">{card.instructions}</p>}
      {card.questions.map((question) => (
        <ValueInput
          key={question.question}
          trait={question}
          first={seenOf(first.scores[question.question])}
          onChange={(value) => {
            const scores = { ...draft.scores }
            if (value?.kind === 'number' || value?.kind === 'options') scores[question.question] = value
            else delete scores[question.question]
            setDraft({ ...draft, scores })
          }}
        />
      ))}
      <Field label="Your name" optional hint="Only those who made this tasting see it, once it is over.">
        <Input
          autoComplete="name"
          maxLength={maxTasterLength}
          value={draft.taster}
          onChange={({ target }) => setDraft({ ...draft, taster: target.value })}
          className="min-h-14"
        />
      </Field>
      <Field label="Remark" optional>
        <Textarea
          rows={3}
          maxLength={maxRemarkLength}
          value={draft.comment}
          onChange={({ target }) => setDraft({ ...draft, comment: target.value })}
        />
      </Field>
      <div className="grid gap-3">
        {problem && (
          <div role="alert">
            <FieldError>{problem}</FieldError>
          </div>
        )}
        <Button type="submit" size="lg" pending={isSending} pendingText="Sending..." className="min-h-14 text-lg">
          Send scores
        </Button>
        <p className="text-muted text-sm">
          {answered.length} of {card.questions.length} answered. Leave out what you cannot tell. You can send once.
        </p>
      </div>
    </form>
  )
}

const seenOf = (value: ScoreValue | undefined) =>
  value?.kind === 'number' ? { number: value.number } : value ? { options: value.options } : {}

const keyOf = (token: string) => `taste:${token}`
const empty: Draft = { scores: {}, taster: '', comment: '' }

function useDraft(token: string): [Draft, (draft: Draft) => void] {
  const [draft, setDraft] = useState<Draft>(() => {
    try {
      return { ...empty, ...(JSON.parse(sessionStorage.getItem(keyOf(token)) ?? '{}') as Partial<Draft>) }
    } catch {
      return empty
    }
  })
  return [
    draft,
    (next) => {
      setDraft(next)
      try {
        sessionStorage.setItem(keyOf(token), JSON.stringify(next))
      } catch {
        // Then it is here until the page is left.
      }
    },
  ]
}

function forgetDraft(token: string): void {
  try {
    sessionStorage.removeItem(keyOf(token))
  } catch {
    // It was never kept.
  }
}
