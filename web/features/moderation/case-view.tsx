import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, ExternalLink } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ModerationCaseDetail } from '../../../contracts/moderation.ts'
import { Ago } from '../../ui/ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CaseClock } from './case-clock.tsx'
import { CasePerson } from './case-person.tsx'
import { CaseReports } from './case-reports.tsx'
import { CaseSubject } from './case-subject.tsx'
import { DecisionForm } from './decision-form.tsx'
import { DeedItem } from './deed-item.tsx'
import { caseCause, caseTitle, pathOf, stateNames } from './desk-words.ts'
import { caseOptions } from './moderation.api.ts'
import { Key } from './shortcut-list.tsx'
import { useShortcuts } from './shortcuts.ts'
import { useAssign } from './use-assign.ts'

type CaseViewProps = {
  id: string
  takesFocus: boolean
  /** To the list, where the case stands in its place. */
  onBack?: (() => void) | undefined
}

/** One case: what it is about, why it is here, whose it is, and what is done. */
export function CaseView({ id, takesFocus, onBack }: CaseViewProps) {
  const query = useQuery(caseOptions(id))
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
        failure="The case could not be loaded"
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
    // The page may be scrolled far down the list, or the case before.
    heading.current?.scrollIntoView({ block: 'nearest' })
  }, [takesFocus])
  const { deeds, status, mayDo, refusal, history, findings, reports } = item
  const path = pathOf(item)
  // The form is gone with its focus, and the page is shorter by it: what was decided stands at the top.
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
            {item.community && <span>in {item.community.name}</span>}
            <span>
              opened <Ago at={item.openedAt} />
            </span>
            {item.assignedTo && status === 'open' && <span>{item.isMine ? 'taken by you' : `taken by ${item.assignedTo.name}`}</span>}
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
          Somebody else decided this meanwhile. What they decided stands below; yours was not saved.
        </p>
      )}
      {deeds.length > 0 && (
        <Card asChild>
          <section aria-label="What was decided">
            <CardBody>
              <h4 className="mb-3 font-semibold">{status === 'open' ? 'What was decided before' : 'What was decided'}</h4>
              <ul className="grid gap-4">
                {deeds.map((deed) => (
                  <li key={deed.id}>
                    <DeedItem deed={deed} caseId={item.id} />
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
        {/* Read before the decision, in whatever way it stands. */}
        <CasePerson person={item.person} history={history} caseId={item.id} className="@3xl:row-span-2" />
        {status === 'open' && mayDo.length > 0 && <DecisionForm item={item} onConflict={() => setConflict(true)} />}
        {status === 'open' && mayDo.length === 0 && (
          <p className="rounded-input bg-sunk px-4 py-3">{refusal ?? 'Somebody else decides this case.'}</p>
        )}
      </div>
    </article>
  )
}
