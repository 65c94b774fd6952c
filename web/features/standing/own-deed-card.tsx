import { useState } from 'react'
import type { OwnAppeal } from '../../../contracts/moderation.ts'
import type { OwnDeed } from '../../../contracts/standing.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { isSuspended } from '../../lib/route-access.ts'
import { Ago, useNow } from '../../ui/ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import { ActionLink } from '../notifications/action-link.tsx'
import { AppealForm } from './appeal-form.tsx'
import { Notice } from './notice.tsx'
import { dayWords, deedHeadline } from './standing-words.ts'

/** One thing that was done: what, why, until when, and what can be said against it. */
export function OwnDeedCard({ deed }: { deed: OwnDeed }) {
  const { path, appeal, mayAppeal, stands, undoneAt, createdAt, community } = deed
  const user = useCurrentUser()
  const now = useNow()
  // Whoever is suspended is led back here from everywhere.
  const isOpen = user !== null && !isSuspended(user, now)
  const [isAppealing, setAppealing] = useState(false)
  const card = useKeptFocus<HTMLElement>(appeal ? 'appealed' : isAppealing ? 'appealing' : 'open')
  return (
    <Card asChild>
      <article {...card} aria-label={deedHeadline(deed)}>
        <CardBody className="grid gap-4">
          <Notice
            deed={deed}
            reason={deed.reason}
            explanation={deed.explanation}
            title={deed.title}
            level={3}
            stands={stands}
            aside={
              <p className="flex items-center gap-2.5 text-muted text-sm">
                {!stands && <Badge variant={undoneAt ? 'leaf' : 'neutral'}>{undoneAt ? 'Taken back' : 'Over'}</Badge>}
                <Ago at={createdAt} />
              </p>
            }
          />
          {((path && isOpen) || community) && (
            <p className="flex flex-wrap gap-x-5 gap-y-1.5 text-sm">
              {path && isOpen && (
                <ActionLink href={path} className={textLink}>
                  See it
                </ActionLink>
              )}
              {community && (
                <span className="text-muted">
                  By the moderators of <span className="wrap-anywhere">{community.name}</span>
                </span>
              )}
            </p>
          )}
          {appeal && <AppealState appeal={appeal} />}
          {mayAppeal && !isAppealing && (
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t pt-4">
              <Button variant="secondary" onClick={() => setAppealing(true)}>
                Appeal
              </Button>
              <p className="text-muted text-sm">Until {dayWords(deed.appealUntil)}. Another moderator decides.</p>
            </div>
          )}
          {mayAppeal && isAppealing && <AppealForm deedId={deed.id} onClose={() => setAppealing(false)} />}
        </CardBody>
      </article>
    </Card>
  )
}

const outcomes = {
  upheld: { title: 'Your appeal was looked at: the decision stays', variant: 'outline', word: 'Upheld' },
  overturned: { title: 'Your appeal was granted: it was taken back', variant: 'leaf', word: 'Overturned' },
} as const

function AppealState({ appeal: { outcome, content, createdAt, decidedAt, answer } }: { appeal: OwnAppeal }) {
  const words = outcome && outcomes[outcome]
  return (
    <div className="grid gap-3 rounded-input bg-sunk p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1.5">
        <h4 className="font-semibold">{words ? words.title : 'Your appeal waits for another moderator'}</h4>
        {words ? <Badge variant={words.variant}>{words.word}</Badge> : <Badge variant="outline">Waiting</Badge>}
      </div>
      {answer !== '' && <p className="whitespace-pre-line wrap-anywhere">{answer}</p>}
      <div className="text-muted text-sm">
        <p>
          You wrote <Ago at={createdAt} />
          {decidedAt && (
            <>
              , answered <Ago at={decidedAt} />
            </>
          )}
        </p>
        <p className="mt-1 whitespace-pre-line wrap-anywhere">{content}</p>
      </div>
    </div>
  )
}
