import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Words } from '../../../compliance/words.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { businessOptions } from '../businesses/businesses.api.ts'
import { HintItem } from './hint-item.tsx'
import { type Hint, hintsFor, isNewAccount } from './judged.ts'

/** In milliseconds: a word that is still being typed is not judged. */
const pause = 600

const headings = {
  refuse: { title: 'This cannot go out as it is', lead: 'Change it, then send it.' },
  hold: { title: 'A moderator looks at this first', lead: 'You can send it as it is. Others see it once a moderator has approved it.' },
  advise: { title: 'Good to know', lead: 'It goes out as it is. Whoever sends it answers for it.' },
} as const

/** The hints, loaded with the first word that is typed. */
export function HintsList({ words }: { words: Words }) {
  const hints = useHints(words)
  const gravest = hints[0]?.effect
  return (
    <div aria-live="polite" aria-atomic="false">
      {gravest && (
        <section
          aria-label="What the rules say to this"
          className={
            gravest === 'refuse'
              ? 'rounded-card border border-clay bg-sunk p-4 sm:p-5'
              : 'rounded-card border border-line bg-sunk p-4 sm:p-5'
          }
        >
          <p className={gravest === 'refuse' ? 'font-semibold text-clay' : 'font-semibold'}>{headings[gravest].title}</p>
          <p className="mt-0.5 text-muted text-sm">{headings[gravest].lead}</p>
          <ul className="mt-3 grid gap-3.5">
            {hints.map((hint) => (
              <HintItem key={hint.topic} hint={hint} isApart={hint.effect !== gravest} />
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

/** Of the words as they stood at the last pause; until the next one these stay, so that nothing flickers. */
function useHints(words: Words): Hint[] {
  const user = useCurrentUser()
  const businessId = words.kind === 'review' ? null : (words.businessId ?? null)
  const { data: business } = useQuery({ ...businessOptions(businessId ?? ''), enabled: businessId !== null })
  const [hints, setHints] = useState<Hint[]>([])
  const key = JSON.stringify(words)
  useEffect(() => {
    const timer = setTimeout(() => {
      const judged = hintsFor(
        JSON.parse(key) as Words,
        businessId === null ? null : business,
        user !== null && isNewAccount(user, Date.now()),
      )
      setHints((before) => (JSON.stringify(before) === JSON.stringify(judged) ? before : judged))
    }, pause)
    return () => clearTimeout(timer)
  }, [key, business, businessId, user])
  return hints
}
