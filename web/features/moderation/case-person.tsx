import { Link } from '@tanstack/react-router'
import type { ModerationCaseDetail } from '../../../contracts/moderation.ts'
import type { Person } from '../../../contracts/people.ts'
import { useTimeZone } from '../../lib/use-time-zone.ts'
import { Ago } from '../../ui/ago.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { momentWords } from '../standing/standing-words.ts'
import { DeedItem } from './deed-item.tsx'

type History = NonNullable<ModerationCaseDetail['history']>
type CasePersonProps = { person: Person | null; history: History | null; caseId: string; className?: string | undefined }

const trustWords: Record<History['trust'], string> = {
  new: 'New here',
  known: 'Known',
  trusted: 'Trusted',
}

/** Whose it is, and what there was before. */
export function CasePerson({ person, history, caseId, className }: CasePersonProps) {
  if (!person) return null
  return (
    <Card asChild className={className}>
      <section aria-label="Whose it is">
        <CardBody className="grid grid-cols-1 items-start gap-x-8 gap-y-4 @lg:grid-cols-2 @3xl:grid-cols-1">
          <div className="grid gap-4">
            <div className="flex items-center gap-3">
              <Avatar id={person.id} name={person.name} imageUrl={person.imageUrl} size="sm" />
              <div className="min-w-0">
                <Link to="/people/$id" params={{ id: person.id }} target="_blank" className={`${textLink} wrap-anywhere`}>
                  {person.name}
                </Link>
                {history && (
                  <p className="text-muted text-sm">
                    Joined <Ago at={history.joinedAt} />
                  </p>
                )}
              </div>
            </div>
            {history && <Known history={history} />}
          </div>
          {history && <Before deeds={history.deeds.filter((deed) => deed.caseId !== caseId)} caseId={caseId} />}
        </CardBody>
      </section>
    </Card>
  )
}

function Known({ history: { trust, standing, casesCount, actedCount } }: { history: History }) {
  return (
    <>
      {standing && <Standing standing={standing} />}
      <Facts>
        <Fact name="Trust">{trustWords[trust]}</Fact>
        <Fact name="Cases">
          {casesCount === 0 ? 'None before' : `${casesCount} before, ${actedCount === 0 ? 'none' : actedCount} with an action`}
        </Fact>
      </Facts>
    </>
  )
}

function Before({ deeds, caseId }: { deeds: History['deeds']; caseId: string }) {
  if (deeds.length === 0) return null
  return (
    <div className="border-line @max-lg:border-t @max-lg:pt-4 @3xl:border-t @3xl:pt-4">
      <h4 className="mb-3 font-semibold text-sm">What was done before</h4>
      <ul className="grid gap-4">
        {deeds.map((deed) => (
          <li key={deed.id}>
            <DeedItem deed={deed} caseId={caseId} isShort />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Standing({ standing: { isBanned, suspendedUntil, mutedUntil } }: { standing: NonNullable<History['standing']> }) {
  const timeZone = useTimeZone()
  const word = isBanned
    ? 'Banned'
    : suspendedUntil
      ? `Suspended until ${momentWords(suspendedUntil, timeZone)}`
      : mutedUntil
        ? `Muted until ${momentWords(mutedUntil, timeZone)}`
        : null
  return (
    <p>
      <Badge variant={word ? 'clay' : 'leaf'} className="whitespace-normal!">
        {word ?? 'In good standing'}
      </Badge>
    </p>
  )
}
