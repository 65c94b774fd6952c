import type { ReactNode } from 'react'
import type { ActionReason } from '#contracts/moderation.ts'
import { localTimeZone } from '#web/lib/format.ts'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { actionReasonTitle, type DecisionFacts, decisionConsequence, decisionHeadline } from './account-status-words.ts'

type NoticeProps = {
  decision: DecisionFacts
  reason: ActionReason | null
  explanation: string
  title: string | null
  /** The first words of a comment; `title` is then the title of the content that it's on. */
  excerpt: string
  level: 3 | 4
  /** True until the action is reverted or expires. If false, the notice doesn't mention consequences. */
  stands: boolean
  aside?: ReactNode
}

/** Shared by the account status page and the moderators' preview. */
export function Notice({ decision, reason, explanation, title, excerpt, level, stands, aside }: NoticeProps) {
  const timeZone = localTimeZone()
  const Heading = `h${level}` as const
  return (
    <div className="grid gap-3">
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1.5">
        <Heading className="min-w-0 font-semibold font-text text-base tracking-normal wrap-anywhere">{decisionHeadline(decision)}</Heading>
        {aside}
      </header>
      {stands && <p>{decisionConsequence(decision, timeZone)}</p>}
      <Facts>
        <Fact name="About">{(excerpt || title) && <span className="line-clamp-2">“{excerpt || title}”</span>}</Fact>
        <Fact name="On">{excerpt && title && <span className="line-clamp-2">“{title}”</span>}</Fact>
        <Fact name="Reason">{reason && actionReasonTitle(reason)}</Fact>
      </Facts>
      {explanation !== '' && (
        <blockquote className="border-line border-l-2 pl-4 whitespace-pre-line wrap-anywhere">{explanation}</blockquote>
      )}
    </div>
  )
}
