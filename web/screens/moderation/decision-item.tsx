import { useState } from 'react'
import { explainedActions } from '#contracts/moderation.rules.ts'
import type { ModerationDecision } from '#contracts/moderation.ts'
import { actionReasonTitle, momentWords } from '#web/entities/account-status/account-status-words.ts'
import { ReasonDialog } from '#web/forms/reason-dialog.tsx'
import { localTimeZone } from '#web/lib/format.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { useUndo } from './decision-form.tsx'
import { actionNames, doneNames } from './desk-words.ts'

type DecisionItemProps = {
  decision: ModerationDecision
  caseId: string | null
  /** Omits the explanation, the note and Undo. */
  isShort?: boolean | undefined
  hasUndo?: boolean | undefined
}

const appealWords = { open: 'Appealed', upheld: 'Appeal: upheld', overturned: 'Appeal: overturned' } as const

export function DecisionItem({ decision, caseId, isShort = false, hasUndo = true }: DecisionItemProps) {
  const timeZone = localTimeZone()
  const [isUndoing, setUndoing] = useState(false)
  const { action, reason, explanation, note, community, moderator, createdAt, endsAt, undoneAt, undoneBy, appeal, mayUndo } = decision
  return (
    <div className="grid gap-1.5 text-sm">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-semibold">{doneNames[action]}</span>
        {endsAt && <span>until {momentWords(endsAt, timeZone)}</span>}
        {action === 'ban' && !endsAt && <span>permanently</span>}
        {undoneAt && <Badge>Undone</Badge>}
        {appeal && <Badge variant={appeal === 'overturned' ? 'leaf' : 'outline'}>{appealWords[appeal]}</Badge>}
      </p>
      <p className="text-muted">
        {reason !== 'no_violation' && `${actionReasonTitle(reason)} · `}
        {community && `${community.name} · `}
        {moderator ? moderator.name : 'A moderator'} · <Ago at={createdAt} />
        {undoneAt && (
          <>
            {' · undone '}
            {undoneBy && `by ${undoneBy.name} `}
            <Ago at={undoneAt} />
          </>
        )}
      </p>
      {!isShort && explanation !== '' && (
        <p className="max-w-text border-line border-l-2 pl-3 whitespace-pre-line wrap-anywhere">{explanation}</p>
      )}
      {!isShort && note !== '' && (
        <p className="max-w-text text-muted whitespace-pre-line wrap-anywhere">
          <span className="font-medium">For moderators:</span> {note}
        </p>
      )}
      {!isShort && hasUndo && mayUndo && (
        <div className="mt-1">
          <Button variant="secondary" size="sm" onClick={() => setUndoing(true)}>
            Undo<span className="sr-only"> {doneNames[action].toLowerCase()}</span>
          </Button>
          <UndoDialog decision={decision} caseId={caseId} open={isUndoing} onOpenChange={setUndoing} />
        </div>
      )}
    </div>
  )
}

type UndoDialogProps = {
  decision: Pick<ModerationDecision, 'id' | 'action'>
  caseId: string | null
  open: boolean
  onOpenChange: (open: boolean) => void
}

const asBefore = 'This will reverse the decision’s effects, except for anything changed since.'

function UndoDialog({ decision, caseId, open, onOpenChange }: UndoDialogProps) {
  const undo = useUndo(caseId)
  const notifiesPerson = explainedActions.includes(decision.action)
  return (
    <ReasonDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Undo: ${actionNames[decision.action].toLowerCase()}`}
      description={notifiesPerson ? `${asBefore} We’ll notify the person.` : 'The case will reopen.'}
      hint="Only moderators see this."
      maxLength={1000}
      submitText="Undo"
      pendingText="Undoing..."
      pending={undo.isPending}
      onSubmit={(reason) => undo.mutate({ ids: [decision.id], reason }, { onSuccess: () => onOpenChange(false) })}
    />
  )
}
