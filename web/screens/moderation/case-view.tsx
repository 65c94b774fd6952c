import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, Clock, ClockAlert, ExternalLink } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { assignCase } from '#contracts/calls/moderation.ts'
import type { ActsFor, ModerationCase, ModerationCaseDetail } from '#contracts/moderation.ts'
import type { Person } from '#contracts/people.ts'
import { momentWords } from '#web/entities/account-status/account-status-words.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { localTimeZone } from '#web/lib/format.ts'
import { Ago, useNow } from '#web/ui/ago.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { cx } from '#web/ui/cx.ts'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { CaseReports, CaseSubject } from './case-subject.tsx'
import { DecisionForm } from './decision-form.tsx'
import { DecisionItem } from './decision-item.tsx'
import { caseCause, caseTitle, clockOf, pathOf, stateNames } from './desk-words.ts'
import { cacheCase, caseOptions, refreshDesk } from './moderation.api.ts'
import { Key, useShortcuts } from './shortcuts.tsx'

type CaseViewProps = {
  id: string
  actsFor: ActsFor
  takesFocus: boolean
  onBack?: (() => void) | undefined
}

export function CaseView({ id, actsFor, takesFocus, onBack }: CaseViewProps) {
  const query = useQuery(caseOptions(id, actsFor))
  return (
    <div className="@container min-w-0">
      {onBack && (
        <Button variant="quiet" size="sm" className="mb-3 -ml-3 @2xl/desk:hidden" onClick={onBack}>
          <ArrowLeft aria-hidden="true" />
          All cases
        </Button>
      )}
      <Loaded
        query={query}
        loadingLabel="Loading the case..."
        skeleton={
          <span className="grid gap-4">
            <Skeleton className="h-28 rounded-card" />
            <Skeleton className="h-60 rounded-card" />
          </span>
        }
        failure="The case couldn’t be loaded"
      >
        {(item) => <Opened item={item} takesFocus={takesFocus} />}
      </Loaded>
    </div>
  )
}

function Opened({ item, takesFocus }: { item: ModerationCaseDetail; takesFocus: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [isConflict, setConflict] = useState(false)
  useEffect(() => {
    if (takesFocus) heading.current?.focus({ preventScroll: true })
    // Someone may have scrolled far down the list or the previous case.
    heading.current?.scrollIntoView({ block: 'nearest' })
  }, [takesFocus])
  const { decisions, status, mayDo, refusal, history, findings, reports } = item
  const path = pathOf(item)
  // Without the form, the page is shorter, so move focus to the outcome at the top.
  const shownStatus = useRef(status)
  useEffect(() => {
    if (shownStatus.current === 'open' && status === 'decided') {
      heading.current?.focus({ preventScroll: true })
      heading.current?.scrollIntoView({ block: 'nearest' })
    }
    shownStatus.current = status
  }, [status])
  const assign = useAssign(item)
  useShortcuts({
    t: () => status === 'open' && assign.mayAssign && assign.toggle(),
    o: () => path && window.open(path, '_blank', 'noopener'),
  })
  return (
    <article aria-label={caseTitle(item)} className="grid gap-4">
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="min-w-0">
          <h3 ref={heading} tabIndex={-1} className="scroll-mt-32 text-xl wrap-anywhere @2xl/desk:scroll-mt-20">
            {caseTitle(item)}
          </h3>
          <p className="mt-2 flex flex-wrap items-center gap-x-2.5 gap-y-1.5 text-muted text-sm">
            <CaseClock item={item} />
            <Badge variant={item.source === 'report' ? 'clay' : 'neutral'}>{caseCause(item)}</Badge>
            {item.state && <Badge variant="outline">{stateNames[item.state]}</Badge>}
            {item.community && item.actsFor === 'site' && <span>in {item.community.name}</span>}
            <span>
              opened <Ago at={item.openedAt} />
            </span>
            {item.assignedTo && status === 'open' && <span>{item.isMine ? 'claimed by you' : `claimed by ${item.assignedTo.name}`}</span>}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {status === 'open' && assign.mayAssign && (
            <Button variant="secondary" size="sm" onClick={assign.toggle} pending={assign.isPending} pendingText={assign.pendingText}>
              {assign.label}
              <Key>T</Key>
            </Button>
          )}
          {path && (
            <Button asChild variant="secondary" size="sm">
              <a href={path} target="_blank" rel="noreferrer">
                <ExternalLink aria-hidden="true" />
                Open<span className="sr-only"> in a new tab</span>
              </a>
            </Button>
          )}
        </div>
      </header>
      {isConflict && status === 'decided' && (
        <p role="alert" className="rounded-input bg-clay-soft px-4 py-3 text-clay">
          Someone else decided this case in the meantime. Their decision is below. Yours wasn’t saved.
        </p>
      )}
      {decisions.length > 0 && (
        <Card asChild>
          <section aria-label="Decisions">
            <CardBody>
              <h4 className="mb-3 font-semibold">{status === 'open' ? 'Previous decisions' : 'Decisions'}</h4>
              <ul className="grid gap-4">
                {decisions.map((decision) => (
                  <li key={decision.id}>
                    <DecisionItem decision={decision} caseId={item.id} />
                  </li>
                ))}
              </ul>
            </CardBody>
          </section>
        </Card>
      )}
      <div className="grid grid-cols-1 items-start gap-4 @3xl:grid-cols-[minmax(0,1fr)_17rem]">
        <div className="grid min-w-0 gap-4">
          <CaseSubject item={item} />
          {(reports.length > 0 || findings.length > 0) && <CaseReports reports={reports} findings={findings} />}
        </div>
        <CasePerson person={item.person} history={history} caseId={item.id} className="@3xl:row-span-2" />
        {status === 'open' && mayDo.length > 0 && <DecisionForm item={item} onConflict={() => setConflict(true)} />}
        {status === 'open' && mayDo.length === 0 && (
          <p className="rounded-input bg-sunk px-4 py-3">{refusal ?? 'Someone else must decide this case.'}</p>
        )}
      </div>
    </article>
  )
}

type History = NonNullable<ModerationCaseDetail['history']>
type CasePersonProps = { person: Person | null; history: History | null; caseId: string; className?: string | undefined }

const trustWords: Record<History['trust'], string> = {
  new: 'New here',
  known: 'Known',
  trusted: 'Trusted',
}

function CasePerson({ person, history, caseId, className }: CasePersonProps) {
  if (!person) return null
  return (
    <Card asChild className={className}>
      <section aria-label="Account">
        <CardBody className="grid grid-cols-1 items-start gap-x-8 gap-y-4 @lg:grid-cols-2 @3xl:grid-cols-1">
          <div className="grid gap-4">
            <div className="flex items-center gap-3">
              <Avatar id={person.id} name={person.name} imageUrl={person.imageUrl} size="sm" />
              <div className="min-w-0">
                <Link to="/people/$id" params={{ id: person.id }} target="_blank" className={`${textLink} wrap-anywhere`}>
                  {person.name}
                </Link>
                {history && (
                  <p className="text-muted text-sm">
                    Joined <Ago at={history.joinedAt} />
                  </p>
                )}
              </div>
            </div>
            {history && <PersonFacts history={history} />}
          </div>
          {history && <PreviousActions decisions={history.decisions.filter((decision) => decision.caseId !== caseId)} caseId={caseId} />}
        </CardBody>
      </section>
    </Card>
  )
}

function PersonFacts({ history: { trust, accountStatus: standing, casesCount, actedCount } }: { history: History }) {
  return (
    <>
      {standing && <AccountStatusNote accountStatus={standing} />}
      <Facts>
        <Fact name="Trust">{trustWords[trust]}</Fact>
        <Fact name="Cases">
          {casesCount === 0 ? 'No earlier cases' : `${casesCount} earlier, ${actedCount === 0 ? 'none' : actedCount} with an action`}
        </Fact>
      </Facts>
    </>
  )
}

function PreviousActions({ decisions, caseId }: { decisions: History['decisions']; caseId: string }) {
  if (decisions.length === 0) return null
  return (
    <div className="border-line @max-lg:border-t @max-lg:pt-4 @3xl:border-t @3xl:pt-4">
      <h4 className="mb-3 font-semibold text-sm">Previous actions</h4>
      <ul className="grid gap-4">
        {decisions.map((decision) => (
          <li key={decision.id}>
            <DecisionItem decision={decision} caseId={caseId} isShort />
          </li>
        ))}
      </ul>
    </div>
  )
}

function AccountStatusNote({
  accountStatus: { isBanned, suspendedUntil, mutedUntil },
}: {
  accountStatus: NonNullable<History['accountStatus']>
}) {
  const timeZone = localTimeZone()
  const word = isBanned
    ? 'Banned'
    : suspendedUntil
      ? `Suspended until ${momentWords(suspendedUntil, timeZone)}`
      : mutedUntil
        ? `Muted until ${momentWords(mutedUntil, timeZone)}`
        : null
  return (
    <p>
      <Badge variant={word ? 'clay' : 'leaf'} className="whitespace-normal!">
        {word ?? 'No restrictions'}
      </Badge>
    </p>
  )
}

function useAssign({ id, isMine, assignedTo, mayDo }: ModerationCaseDetail) {
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: () => call(assignCase, { params: { id }, body: { isMine: !isMine } }),
    onSuccess: (answer) => {
      cacheCase(client, id, answer)
      void refreshDesk(client, null)
    },
    onError: (error) => {
      toast({ title: 'Error', description: messageOf(error), variant: 'destructive' })
      void refreshDesk(client, id)
    },
  })
  return {
    /** Only people who can decide can be assigned. */
    mayAssign: mayDo.length > 0,
    label: isMine ? 'Release' : assignedTo ? 'Take over' : 'Claim',
    pendingText: isMine ? 'Releasing...' : 'Claiming...',
    isPending: mutation.isPending,
    toggle: () => {
      if (!mutation.isPending) mutation.mutate()
    },
  }
}

const looks = { late: 'bg-clay text-on-clay', soon: 'bg-clay-soft text-clay', calm: 'bg-sunk text-ink' }

/** A case may lack a deadline. The text carries the meaning, not only the color. */
export function CaseClock({ item }: { item: Pick<ModerationCase, 'dueAt' | 'status'> }) {
  const clock = clockOf(item, useNow())
  if (!clock) return null
  const Icon = clock.state === 'calm' ? Clock : ClockAlert
  return (
    <span
      className={cx(
        'inline-flex w-fit items-center gap-1.5 rounded-full px-2.25 py-0.5 font-medium text-xs whitespace-nowrap',
        looks[clock.state],
      )}
    >
      <Icon aria-hidden="true" className="size-3.5 shrink-0" />
      {clock.text}
    </span>
  )
}
