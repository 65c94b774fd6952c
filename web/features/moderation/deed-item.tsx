import { useState } from 'react'
import type { ModerationDeed } from '../../../contracts/moderation.ts'
import { useTimeZone } from '../../lib/use-time-zone.ts'
import { Ago } from '../../ui/ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { actionReasonTitle, momentWords } from '../standing/standing-words.ts'
import { doneNames } from './desk-words.ts'
import { UndoDialog } from './undo-dialog.tsx'

type DeedItemProps = {
  deed: ModerationDeed
  caseId: string | null
  /** Beside the case: without the words. */
  isShort?: boolean | undefined
  hasUndo?: boolean | undefined
}

const appealWords = { open: 'Appealed', upheld: 'Appeal: upheld', overturned: 'Appeal: overturned' } as const

/** What was done, by whom, until when, and the way back. */
export function DeedItem({ deed, caseId, isShort = false, hasUndo = true }: DeedItemProps) {
  const timeZone = useTimeZone()
  const [isUndoing, setUndoing] = useState(false)
  const { action, reason, explanation, note, community, moderator, createdAt, endsAt, undoneAt, undoneBy, appeal, mayUndo } = deed
  return (
    <div className="grid gap-1.5 text-sm">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-semibold">{doneNames[action]}</span>
        {endsAt && <span>until {momentWords(endsAt, timeZone)}</span>}
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
          <span className="font-medium">Among moderators:</span> {note}
        </p>
      )}
      {!isShort && hasUndo && mayUndo && (
        <div className="mt-1">
          <Button variant="secondary" size="sm" onClick={() => setUndoing(true)}>
            Undo<span className="sr-only"> {doneNames[action].toLowerCase()}</span>
          </Button>
          <UndoDialog deed={deed} caseId={caseId} open={isUndoing} onOpenChange={setUndoing} />
        </div>
      )}
    </div>
  )
}
