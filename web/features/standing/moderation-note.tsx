import { Link } from '@tanstack/react-router'
import { EyeOff, Hourglass } from 'lucide-react'
import type { ReportSubject } from '../../../contracts/reports.ts'
import { cx } from '../../ui/cx.ts'
import { textLink } from '../../ui/link-styles.ts'
import { subjectWords } from '../reports/report-words.ts'

type ModerationNoteProps = {
  /** How it is kept from view. Null, for what everybody sees, shows nothing. */
  state: 'held' | 'hidden' | 'removed' | null
  subject: ReportSubject
  /** Why it is held, in sentences for its writer. */
  heldFor?: readonly string[] | undefined
  className?: string | undefined
}

/** A quiet line at one's own post, comment or review that others do not see, and why. */
export function ModerationNote({ state, subject, heldFor = [], className }: ModerationNoteProps) {
  if (state === null) return null
  const isHeld = state === 'held'
  const Icon = isHeld ? Hourglass : EyeOff
  return (
    <div className={cx('flex items-start gap-2.5 rounded-input bg-sunk px-3.5 py-2.5 text-sm', className)}>
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        {isHeld ? (
          <p>
            <span className="font-medium">Held for review.</span> Only you see this {subjectWords[subject]} until a moderator has looked at
            it. You find it again in{' '}
            <Link to="/standing" hash="held-things" className={textLink}>
              your standing
            </Link>
            .{' '}
            {heldFor.length === 0 && (
              <Link to="/guidelines" className={textLink}>
                What is held
              </Link>
            )}
          </p>
        ) : (
          <p>
            <span className="font-medium">{state === 'hidden' ? 'Hidden by moderators.' : 'Removed by moderators.'}</span> Others do not see
            this {subjectWords[subject]}.{' '}
            <Link to="/standing" className={textLink}>
              See why
            </Link>
          </p>
        )}
        {isHeld && heldFor.length > 0 && (
          <ul className="mt-1 grid list-disc gap-0.5 pl-4.5 text-muted">
            {heldFor.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}
