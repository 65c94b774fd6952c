import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, CircleSlash, TicketX } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { maxRemarkLength, maxTasterLength } from '#contracts/blind-panels.rules.ts'
import type { ScoreValue, TasteCard } from '#contracts/blind-panels.ts'
import { answerTasteCard } from '#contracts/calls/blind-panels.ts'
import { ValueInput } from '#web/entities/traits/value-input.tsx'
import { dropDraft, saveDraft, withDraft } from '#web/forms/form-draft.ts'
import { getTabItem, setTabItem } from '#web/forms/tab-memory.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { Field, FormError } from '#web/ui/field.tsx'
import { showErrors, useRefocus } from '#web/ui/focus.ts'
import { Input, Textarea } from '#web/ui/input.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { cacheTaste, refreshTaste, tasteOptions } from './panels.api.ts'

/** Opens from the link on a card. Anyone with the card can score one jar without an account. */
export function TasteScreen({ token }: { token: string }) {
  return (
    <div className="mx-auto w-full max-w-lg px-4 py-6 sm:px-6 sm:py-10">
      <Content token={token} />
    </div>
  )
}

function Content({ token }: { token: string }) {
  const client = useQueryClient()
  const { data: card, error, refetch, isFetching } = useQuery(tasteOptions(token))
  const [isSent, setSent] = useState(false)
  const [isAdult, setAdult] = useIsAdult()
  const heading = useRefocus<HTMLHeadingElement>(card ? `${isAdult}` : null)
  if (!card) {
    if (!error) {
      return (
        <SkeletonGroup label="Loading your card..." className="grid gap-5">
          <Skeleton className="h-10 w-40" />
          <Skeleton className="h-72 rounded-card" />
        </SkeletonGroup>
      )
    }
    if (error instanceof ApiError && error.status === 404) {
      return (
        <Over icon={<TicketX />} title="Unknown card">
          <p>It may have been reprinted, or its panel may have been deleted. Ask the person who gave it to you for a new one.</p>
        </Over>
      )
    }
    return <LoadError level={1} title="The card couldn’t be loaded" query={{ error, refetch, isFetching }} />
  }
  if (isSent) {
    return (
      <Notice icon={<CircleCheck />} title="Thank you">
        <p>Your scores for jar {card.jarName} are in. Scan the next card for the next jar.</p>
      </Notice>
    )
  }
  if (card.state === 'answered') {
    return (
      <Notice icon={<CircleCheck />} title={`This card for jar ${card.jarName} has already been used`}>
        <p>Each card can be used once. Scan another one for another jar.</p>
      </Notice>
    )
  }
  if (card.state === 'closed') {
    return (
      <Over icon={<CircleSlash />} title="This tasting is over">
        <p>It’s no longer accepting answers. Thank you for coming.</p>
      </Over>
    )
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <header>
        <p className="text-muted">Jar</p>
        <h1 ref={heading} tabIndex={-1} className="font-mono text-[3.5rem]/none tracking-wide">
          {card.jarName}
        </h1>
      </header>
      {isAdult ? (
        <TasteForm
          token={token}
          card={card}
          onSent={(answered: TasteCard) => {
            setSent(true)
            cacheTaste(client, token, answered)
          }}
          // Someone else used this card, it was reprinted, or the panel was closed or deleted. Refetch to find out.
          onRefused={() => void refreshTaste(client)}
        />
      ) : (
        <Card>
          <CardBody className="grid gap-4">
            <p>You’re about to score cannabis. It’s for adults only.</p>
            <Button size="lg" className="min-h-14 text-lg" onClick={setAdult}>
              I am 18 or older
            </Button>
          </CardBody>
        </Card>
      )}
    </div>
  )
}

const Over = ({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) => (
  <Notice icon={icon} tone="clay" title={title}>
    {children}
  </Notice>
)

const adultName = 'taste:isAdult'

/** Visitors confirm their age once per tab, for all their cards. People who completed onboarding have confirmed it. */
function useIsAdult(): [boolean, () => void] {
  const user = useCurrentUser()
  const [isStated, setStated] = useState(() => getTabItem(adultName) === true)
  const state = () => {
    setStated(true)
    setTabItem(adultName, true)
  }
  return [isStated || (user?.hasCompletedOnboarding ?? false), state]
}

type TasteFormProps = { token: string; card: TasteCard; onSent: (card: TasteCard) => void; onRefused: () => void }
type Draft = { scores: Record<number, ScoreValue>; taster: string; comment: string }

function TasteForm({ token, card, onSent, onRefused }: TasteFormProps) {
  const [draft, saveAnswers] = useAnswers(token)
  const [first] = useState(draft)
  const [problem, setProblem] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const answered = card.questions.filter(({ question }) => draft.scores[question])

  const setDraft = (next: Draft) => {
    setProblem(null)
    saveAnswers(next)
  }

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    // A card can only be sent once, and an invalid answer would be dropped silently.
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
      dropDraft(draftOf(token))
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
      <Field label="Your name" optional hint="Only the host and people they share the hunt with will see your name, after the tasting.">
        <Input
          autoComplete="name"
          maxLength={maxTasterLength}
          value={draft.taster}
          onChange={({ target }) => setDraft({ ...draft, taster: target.value })}
          className="min-h-14"
        />
      </Field>
      <Field label="Comment" optional>
        <Textarea
          rows={3}
          maxLength={maxRemarkLength}
          value={draft.comment}
          onChange={({ target }) => setDraft({ ...draft, comment: target.value })}
        />
      </Field>
      <div className="grid gap-3">
        <FormError>{problem}</FormError>
        <Button type="submit" size="lg" pending={isSending} pendingText="Sending..." className="min-h-14 text-lg">
          Send scores
        </Button>
        <p className="text-muted text-sm">
          {answered.length} of {card.questions.length} answered. Skip anything you can’t judge. You can send your scores only once.
        </p>
      </div>
    </form>
  )
}

const seenOf = (value: ScoreValue | undefined) =>
  value?.kind === 'number' ? { number: value.number } : value ? { options: value.options } : {}

const draftOf = (token: string) => `taste.${token}`
const empty: Draft = { scores: {}, taster: '', comment: '' }

function useAnswers(token: string): [Draft, (draft: Draft) => void] {
  const [draft, setDraft] = useState(() => withDraft(draftOf(token), empty))
  return [
    draft,
    (next) => {
      setDraft(next)
      saveDraft(draftOf(token), next)
    },
  ]
}
