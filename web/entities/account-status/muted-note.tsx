import { Link } from '@tanstack/react-router'
import { MessageSquareOff } from 'lucide-react'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { localTimeZone } from '#web/lib/format.ts'
import { useNow } from '#web/ui/ago.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { momentWords } from './account-status-words.ts'

export function useMutedUntil(): string | null {
  const until = useCurrentUser()?.mutedUntil ?? null
  const now = useNow()
  return until !== null && Date.parse(until) > now ? until : null
}

type MutedNoteProps = {
  /** In ISO 8601; null for no end. */
  until: string | null
  where?: string | undefined
}

/** Replaces composers for muted people: see {@link useMutedUntil}. */
export function MutedNote({ until, where }: MutedNoteProps) {
  const timeZone = localTimeZone()
  return (
    <p className="flex items-start gap-2.5 rounded-input bg-sunk px-4 py-3 text-[0.9375rem]">
      <MessageSquareOff aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-muted" />
      <span>
        You can read{where ? ` in ${where}` : ''}, but not write{until && `, until ${momentWords(until, timeZone)}`}.{' '}
        <Link to="/standing" className={textLink}>
          See why
        </Link>
      </span>
    </p>
  )
}
