import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { decideAppeal } from '#contracts/calls/moderation.ts'
import type { ModerationAppeal } from '#contracts/moderation.ts'
import { subjectWords } from '#web/entities/reports/report-words.ts'
import { fieldErrors } from '#web/forms/server-errors.ts'
import { getTabItem, removeTabItem, setTabItem } from '#web/forms/tab-memory.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { Dialog, DialogContent } from '#web/ui/dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Field, FormError } from '#web/ui/field.tsx'
import { showErrors } from '#web/ui/focus.ts'
import { Textarea } from '#web/ui/input.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { RadioCard, RadioCards } from '#web/ui/radio-cards.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { CaseView } from './case-view.tsx'
import { DecisionItem } from './decision-item.tsx'
import { type AppealStatus, appealStatuses, appealsOptions, refreshDesk } from './moderation.api.ts'

const names: Record<AppealStatus, string> = { open: 'Pending', decided: 'Decided' }

export function AppealsQueue() {
  const [status, setStatus] = useState<AppealStatus>('open')
  const list = useInfiniteQuery(appealsOptions(status))
  const start = useRef<HTMLHeadingElement>(null)
  return (
    <div className="grid gap-4">
      <h3 ref={start} tabIndex={-1} className="sr-only">
        {status === 'open' ? 'Pending, oldest first' : 'Decided, newest first'}
      </h3>
      <fieldset className="flex min-w-0 gap-2">
        <legend className="sr-only">Show</legend>
        {appealStatuses.map((each) => (
          <Chip key={each} pressed={each === status} onClick={() => setStatus(each)}>
            {names[each]}
          </Chip>
        ))}
      </fieldset>
      <PagedList
        list={list}
        loadingLabel="Loading appeals..."
        skeleton={<Skeleton className="h-60 rounded-card" />}
        failure="The appeals couldn’t be loaded"
        empty={
          status === 'open' ? (
            <EmptyState
              level={3}
              title="No pending appeals"
              description="People can appeal once if their content is hidden or removed, or if they’re warned, muted, suspended or banned. A different moderator decides."
            />
          ) : (
            <EmptyState level={3} title="No decided appeals yet" description="Decided appeals appear here." />
          )
        }
      >
        {(appeals) => (
          <ul className="grid gap-4">
            {appeals.map((appeal) => (
              <li key={appeal.id}>
                <AppealCard appeal={appeal} onDecided={() => start.current?.focus()} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </div>
  )
}

type AppealCardProps = {
  appeal: ModerationAppeal
  /** Moves focus. Called once the list has been refetched, without the decided appeal. */
  onDecided: () => void
}

function AppealCard({ appeal, onDecided }: AppealCardProps) {
  const { decision, title, excerpt, person, content, createdAt, decidedAt, decidedBy, outcome, answer, mayDecide } = appeal
  const name = person?.name ?? 'A deleted account'
  return (
    <Card asChild>
      <article aria-label={`Appeal by ${name}`}>
        <CardBody className="grid gap-5">
          <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1.5">
            <h3 className="text-lg wrap-anywhere">
              {person ? (
                <Link to="/people/$id" params={{ id: person.id }} className="rounded-tag hover:underline hover:underline-offset-3">
                  {name}
                </Link>
              ) : (
                name
              )}
            </h3>
            <p className="flex items-center gap-2.5 text-muted text-sm">
              {outcome && (
                <Badge variant={outcome === 'overturned' ? 'leaf' : 'neutral'}>{outcome === 'overturned' ? 'Overturned' : 'Upheld'}</Badge>
              )}
              <Ago at={createdAt} />
            </p>
          </header>
          <div className="grid gap-5 md:grid-cols-2">
            <div>
              <h4 className="mb-2 text-muted text-sm">
                Action against {decision.subject === 'person' ? 'them' : `their ${subjectWords[decision.subject]}`}
              </h4>
              {(title || excerpt) && (
                <div className="mb-3 rounded-input bg-sunk px-4 py-3 text-[0.9375rem] wrap-anywhere">
                  {title && <p className="font-medium">{title}</p>}
                  {excerpt && <p className="whitespace-pre-line">{excerpt}</p>}
                </div>
              )}
              {/* Undo would leave the appeal open, so people who can decide it don't get the button. */}
              <DecisionItem decision={decision} caseId={decision.caseId} hasUndo={!mayDecide} />
              {decision.caseId && <CaseButton caseId={decision.caseId} />}
            </div>
            <div>
              <h4 className="mb-2 text-muted text-sm">Their reasons</h4>
              <blockquote className="border-leaf border-l-2 pl-4 whitespace-pre-line wrap-anywhere">{content}</blockquote>
            </div>
          </div>
          {outcome && (
            <div className="grid gap-1 rounded-input bg-sunk p-4">
              <p className="text-muted text-sm">
                {decidedBy ? decidedBy.name : 'A moderator'}
                {decidedAt && (
                  <>
                    {' · '}
                    <Ago at={decidedAt} />
                  </>
                )}
              </p>
              <p className="whitespace-pre-line wrap-anywhere">{answer}</p>
            </div>
          )}
          {!outcome && mayDecide && <AppealDecision appeal={appeal} onDecided={onDecided} />}
          {!outcome && !mayDecide && (
            <p className="rounded-input bg-sunk px-4 py-3 text-[0.9375rem]">
              Someone else has to decide. You took part in this case, or it’s about you, your business or an admin.
            </p>
          )}
        </CardBody>
      </article>
    </Card>
  )
}

function CaseButton({ caseId }: { caseId: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="mt-3">
      <Button variant="secondary" size="sm" onClick={() => setOpen(true)}>
        View case
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen}>
        <DialogContent size="lg" title="The case">
          {isOpen && <CaseView id={caseId} actsFor="site" takesFocus={false} />}
        </DialogContent>
      </Dialog>
    </div>
  )
}

type Outcome = 'upheld' | 'overturned'

const choices: readonly { outcome: Outcome; title: string; description: string }[] = [
  { outcome: 'upheld', title: 'Uphold', description: 'The decision was right and won’t change' },
  { outcome: 'overturned', title: 'Overturn', description: 'The decision will be reversed' },
]

function AppealDecision({
  appeal: {
    id,
    person,
    decision: { caseId },
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
    const stored = getTabItem(key)
    return typeof stored === 'string' ? stored : ''
  })
  const [isRefused, setRefused] = useState(false)
  const reload = () => refreshDesk(client, caseId)
  const deciding = useMutation({
    mutationFn: (chosen: Outcome) => call(decideAppeal, { params: { id }, body: { outcome: chosen, answer } }),
    onSuccess: async (decided) => {
      removeTabItem(key)
      toast({ title: decided.outcome === 'overturned' ? 'Overturned' : 'Upheld', description: person?.name })
      await reload()
      onDecided()
    },
    onError: (error) => {
      // If someone else decided in the meantime, the card and its error leave the list, so show a toast.
      if (!(error instanceof ApiError) || error.status !== 409) return
      toast({ title: 'The appeal wasn’t decided', description: messageOf(error), variant: 'destructive' })
      void reload()
    },
  })
  const sent = fieldErrors(deciding.error)
  const outcomeError = isRefused && !outcome ? 'Choose one' : sent.outcome
  const answerError = isRefused && answer.trim() === '' ? 'Explain your decision to the person' : sent.answer

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
        hint={`${person?.name ?? 'The person'} will read this. The decision is final: they can’t appeal again.`}
        error={answerError}
      >
        <Textarea
          rows={3}
          maxLength={2000}
          value={answer}
          onChange={(event) => {
            setAnswer(event.target.value)
            setTabItem(key, event.target.value)
          }}
        />
      </Field>
      {deciding.isError && Object.keys(sent).length === 0 && <FormError>{messageOf(deciding.error)}</FormError>}
      <div>
        <Button type="submit" pending={deciding.isPending} pendingText="Submitting...">
          {outcome === 'overturned' ? 'Overturn' : outcome === 'upheld' ? 'Uphold' : 'Submit'}
        </Button>
      </div>
    </form>
  )
}
