import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Ban, MessageSquareOff, ShieldCheck } from 'lucide-react'
import type { OwnStanding } from '../../../contracts/standing.ts'
import { brand } from '../../lib/boot.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { isSuspended } from '../../lib/route-access.ts'
import { useTimeZone } from '../../lib/use-time-zone.ts'
import { useNow } from '../../ui/ago.tsx'
import { quietLink, textLink } from '../../ui/link-styles.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { WayOut } from '../layout/way-out.tsx'
import { HeldThings } from './held-things.tsx'
import { OwnDeeds } from './own-deeds.tsx'
import { OwnReports } from './own-reports.tsx'
import { standingOptions } from './standing.api.ts'
import { momentWords } from './standing-words.ts'
import { useStandingNews } from './use-standing-news.ts'

/** What moderators did about the signed-in person, and why. For whoever is suspended it is the whole app, with the way out and the help. */
export default function StandingScreen() {
  const user = useCurrentUser()
  const now = useNow()
  useStandingNews()
  if (!user) return null
  const isAlone = isSuspended(user, now)
  return (
    <div className="mx-auto max-w-feed px-4 pt-6 pb-16 sm:px-6 sm:pt-8">
      {isAlone && <WayOut className="border-line border-b pb-4" />}
      <PageHeader title="Your standing" description="What moderators decided about you and about what you wrote, and why." />
      <div className="mt-6 grid gap-10">
        <Summary />
        <HeldThings />
        <OwnDeeds />
        <OwnReports />
        {isAlone && <StillOpen />}
      </div>
    </div>
  )
}

function Summary() {
  const query = useQuery(standingOptions)
  return (
    <section aria-labelledby="standing-now">
      <h2 id="standing-now" className="sr-only">
        Now
      </h2>
      <Loaded
        query={query}
        loadingLabel="Loading your standing..."
        skeleton={<Skeleton className="h-24 rounded-card" />}
        failure="Your standing could not be loaded"
      >
        {(standing) => <SummaryCard standing={standing} />}
      </Loaded>
    </section>
  )
}

function SummaryCard({ standing }: { standing: OwnStanding }) {
  const now = useNow()
  const { Icon, tone, title, text } = summaryOf(standing, now, useTimeZone())
  return (
    <div className="flex items-start gap-4 rounded-card border border-line bg-surface p-4 sm:p-5">
      <span className={`grid size-11 shrink-0 place-items-center rounded-full ${tone}`}>
        <Icon aria-hidden="true" className="size-5.5" />
      </span>
      <div className="min-w-0">
        <h3 className="text-lg">{title}</h3>
        <p className="mt-1 text-muted">{text}</p>
        {title === ended && (
          <p className="mt-2">
            {/* A new page: this one still knows the account as it was. */}
            <a href="/" className={textLink}>
              Go on to {brand.name}
            </a>
          </p>
        )}
      </div>
    </div>
  )
}

const ended = 'Your suspension is over'
const grave = 'bg-clay-soft text-clay'
const good = 'bg-leaf-soft text-leaf'

function summaryOf({ isBanned, suspendedUntil, mutedUntil }: OwnStanding, now: number, timeZone: string) {
  const lasts = (until: string | null): until is string => until !== null && Date.parse(until) > now
  if (isBanned) {
    const text = 'You can use nothing but this page and the help pages. If you think it is wrong, appeal below: another moderator decides.'
    return { Icon: Ban, tone: grave, title: 'Your account is banned', text }
  }
  if (lasts(suspendedUntil)) {
    const text = 'Until then you can use nothing but this page and the help pages. Nothing of yours is deleted.'
    return { Icon: Ban, tone: grave, title: `Your account is suspended until ${momentWords(suspendedUntil, timeZone)}`, text }
  }
  if (suspendedUntil !== null) return { Icon: ShieldCheck, tone: good, title: ended, text: 'Everything is open to you again.' }
  if (lasts(mutedUntil)) {
    const text = 'Until then you can read everything, but not write what others read.'
    return { Icon: MessageSquareOff, tone: grave, title: `You are muted until ${momentWords(mutedUntil, timeZone)}`, text }
  }
  const text = 'Nothing limits what you can read and write here.'
  return { Icon: ShieldCheck, tone: good, title: 'You are in good standing', text }
}

/** What of the site is left. */
const StillOpen = () => (
  <nav aria-label="Still open to you" className="border-line border-t pt-6">
    <h2 className="font-semibold font-text text-sm tracking-normal">Still open to you</h2>
    <ul className="mt-3 flex flex-wrap gap-x-6 gap-y-2.5">
      {(
        [
          ['/guidelines', 'Community guidelines'],
          ['/help', 'Help Center'],
          ['/contact', 'Contact us'],
          ['/privacy', 'Privacy policy'],
          ['/data', 'Where the data comes from'],
          ['/moderation-log', 'Moderation log'],
        ] as const
      ).map(([to, name]) => (
        <li key={to}>
          <Link to={to} className={quietLink}>
            {name}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
)
