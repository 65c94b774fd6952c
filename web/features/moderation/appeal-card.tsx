import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ModerationAppeal } from '../../../contracts/moderation.ts'
import { Ago } from '../../ui/ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { Dialog, DialogContent } from '../../ui/dialog.tsx'
import { subjectWords } from '../reports/report-words.ts'
import { AppealDecision } from './appeal-decision.tsx'
import { CaseView } from './case-view.tsx'
import { DeedItem } from './deed-item.tsx'

type AppealCardProps = {
  appeal: ModerationAppeal
  /** The card is about to leave the list, and the focus with it. */
  onDecided: () => void
}

/** What was done, what the person says against it, and the answer. */
export function AppealCard({ appeal, onDecided }: AppealCardProps) {
  const { deed, person, content, createdAt, decidedAt, decidedBy, outcome, answer, mayDecide } = appeal
  const name = person?.name ?? 'Somebody who is gone'
  return (
    <Card asChild>
      <article aria-label={`Appeal of ${name}`}>
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
                What was done about {deed.subject === 'person' ? 'them' : `their ${subjectWords[deed.subject]}`}
              </h4>
              {/* Whoever decides the appeal overturns it, with an answer; undone beside it, it would wait on. */}
              <DeedItem deed={deed} caseId={deed.caseId} hasUndo={!mayDecide} />
              {deed.caseId && <CaseButton caseId={deed.caseId} />}
            </div>
            <div>
              <h4 className="mb-2 text-muted text-sm">What they say</h4>
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
            <p className="rounded-input bg-sunk px-4 py-3 text-[0.9375rem]">You acted here, or it is about you: somebody else decides.</p>
          )}
        </CardBody>
      </article>
    </Card>
  )
}

/** The whole case, without leaving the appeal. */
function CaseButton({ caseId }: { caseId: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="mt-3">
      <Button variant="secondary" size="sm" onClick={() => setOpen(true)}>
        Look at the case
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen}>
        <DialogContent size="lg" title="The case">
          {isOpen && <CaseView id={caseId} takesFocus={false} />}
        </DialogContent>
      </Dialog>
    </div>
  )
}
