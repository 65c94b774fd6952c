import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { EyeOff, Hourglass, MessageSquareOff } from 'lucide-react'
import type { ReportSubject } from '#contracts/moderation.ts'
import { subjectWords } from '#web/entities/reports/report-words.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { localTimeZone } from '#web/lib/format.ts'
import { useNow } from '#web/ui/ago.tsx'
import { cx } from '#web/ui/cx.ts'
import { textLink } from '#web/ui/link-styles.ts'
import { reviewTimeOptions } from './account-status.api.ts'
import { momentWords, reviewTimeWords } from './account-status-words.ts'

type ModerationNoteProps = {
  state: 'held' | 'hidden' | 'removed' | null
  subject: ReportSubject
  heldFor?: readonly string[] | undefined
  /** The business's whole team reads this note, but only the content's author finds it in their account status. */
  isByBusiness?: boolean | undefined
  className?: string | undefined
}

export function ModerationNote({ state, subject, heldFor = [], isByBusiness = false, className }: ModerationNoteProps) {
  if (state === null) return null
  const isHeld = state === 'held'
  const Icon = isHeld ? Hourglass : EyeOff
  return (
    <div className={cx('flex items-start gap-2.5 rounded-input bg-sunk px-3.5 py-2.5 text-sm', className)}>
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        {isHeld ? (
          <p>
            <span className="font-medium">Held for review.</span> Others can’t see this {subjectWords[subject]} until a moderator approves
            it.
            <ReviewTime /> {isByBusiness ? 'The person who wrote it can follow it in' : 'Follow it in'}{' '}
            <Link to="/standing" hash="held-content" className={textLink}>
              {isByBusiness ? 'their' : 'your'} account status
            </Link>
            .{' '}
            {heldFor.length === 0 && (
              <Link to="/guidelines" className={textLink}>
                Held content
              </Link>
            )}
          </p>
        ) : (
          <p>
            <span className="font-medium">{state === 'hidden' ? 'Hidden by moderators.' : 'Removed by moderators.'}</span> Others can’t see
            this {subjectWords[subject]}. {isByBusiness && 'The person who wrote it can '}
            <Link to="/standing" className={textLink}>
              {isByBusiness ? 'see why and appeal' : 'See why'}
            </Link>
            {isByBusiness && '.'}
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

function ReviewTime() {
  const hours = useQuery(reviewTimeOptions).data?.medianHours ?? null
  return hours !== null && ` A review usually takes ${reviewTimeWords(hours)}.`
}

export function useMutedUntil(): string | null {
  const until = useCurrentUser()?.mutedUntil ?? null
  const now = useNow()
  return until !== null && Date.parse(until) > now ? until : null
}

type MutedNoteProps = {
  /** ISO 8601. */
  until: string
  where?: string | undefined
}

/** Shown in place of composers; see {@link useMutedUntil}. */
export function MutedNote({ until, where }: MutedNoteProps) {
  const timeZone = localTimeZone()
  return (
    <p className="flex items-start gap-2.5 rounded-input bg-sunk px-4 py-3 text-[0.9375rem]">
      <MessageSquareOff aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-muted" />
      <span>
        You can read but not write{where ? ` in ${where}` : ''}
        {` until ${momentWords(until, timeZone)}`}.{' '}
        <Link to="/standing" className={textLink}>
          See why
        </Link>
      </span>
    </p>
  )
}
