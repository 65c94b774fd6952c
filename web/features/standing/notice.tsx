import type { ReactNode } from 'react'
import type { ActionReason } from '../../../contracts/moderation.ts'
import { useTimeZone } from '../../lib/use-time-zone.ts'
import { Fact, Facts } from '../../ui/facts.tsx'
import { actionReasonTitle, type DeedFacts, deedConsequence, deedHeadline } from './standing-words.ts'

type NoticeProps = {
  deed: DeedFacts
  reason: ActionReason | null
  /** In the moderator's words. */
  explanation: string
  /** Of what it is about. */
  title: string | null
  level: 3 | 4
  /** Neither undone nor over: what follows from it is said only then. */
  stands: boolean
  /** Beside the headline. */
  aside?: ReactNode
}

/** What somebody reads about something that was done to them: the same in their standing and in the moderator's preview. */
export function Notice({ deed, reason, explanation, title, level, stands, aside }: NoticeProps) {
  const timeZone = useTimeZone()
  const Heading = `h${level}` as const
  return (
    <div className="grid gap-3">
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1.5">
        <Heading className="min-w-0 font-semibold font-text text-base tracking-normal wrap-anywhere">{deedHeadline(deed)}</Heading>
        {aside}
      </header>
      {stands && <p>{deedConsequence(deed, timeZone)}</p>}
      <Facts>
        <Fact name="About">{title && <span className="line-clamp-2">“{title}”</span>}</Fact>
        <Fact name="Reason">{reason && actionReasonTitle(reason)}</Fact>
      </Facts>
      {explanation !== '' && (
        <blockquote className="border-line border-l-2 pl-4 whitespace-pre-line wrap-anywhere">{explanation}</blockquote>
      )}
    </div>
  )
}
