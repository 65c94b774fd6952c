import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { Ban, MessageSquareOff, ShieldCheck } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import type { AccountStatus, HeldContent } from '#contracts/moderation.endpoints.ts'
import { reasonOf } from '#contracts/moderation.rules.ts'
import type { OwnReport } from '#contracts/moderation.ts'
import {
  accountStatusOptions,
  heldContentOptions,
  ownDecisionsOptions,
  ownReportsOptions,
  refreshAccountStatus,
} from '#web/entities/account-status/account-status.api.ts'
import { momentWords, subjectTitle } from '#web/entities/account-status/account-status-words.ts'
import { brand } from '#web/lib/boot.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { localTimeZone } from '#web/lib/format.ts'
import { onLive } from '#web/lib/live-connection.ts'
import { isSuspended } from '#web/lib/route-access.ts'
import { ActionLink } from '#web/ui/action-link.tsx'
import { Ago, useNow } from '#web/ui/ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { quietLink, textLink } from '#web/ui/link-styles.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { ListNote, MorePages, PagedList } from '#web/ui/paged-list.tsx'
import { Skeleton, SkeletonText } from '#web/ui/skeleton.tsx'
import { SignOutHeader } from '#web/ui/way-out.tsx'
import { OwnDecisionCard } from './own-decision-card.tsx'

type AccountStatusScreenProps = { purchases?: ReactNode; ownData?: ReactNode }

/** Suspended people can't use the rest of the app, so this also has `purchases`, `ownData`, sign-out and help. */
export default function AccountStatusScreen({ purchases, ownData }: AccountStatusScreenProps) {
  const user = useCurrentUser()
  const now = useNow()
  useAccountStatusNews()
  if (!user) return null
  const isAlone = isSuspended(user, now)
  return (
    <div className="mx-auto max-w-feed px-4 pt-6 pb-16 sm:px-6 sm:pt-8">
      {isAlone && <SignOutHeader className="border-line border-b pb-4" />}
      <PageHeader title="Account status" description="What moderators decided about you and your content, and why." />
      <div className="mt-6 grid gap-10">
        <Summary />
        <HeldContentList />
        <OwnDecisions />
        <OwnReports />
        {isAlone && purchases}
        {isAlone && ownData}
        {isAlone && <StillOpen />}
      </div>
    </div>
  )
}

function Summary() {
  const query = useQuery(accountStatusOptions)
  return (
    <section aria-labelledby="current-status">
      <h2 id="current-status" className="sr-only">
        Current status
      </h2>
      <Loaded
        query={query}
        loadingLabel="Loading your account status..."
        skeleton={<Skeleton className="h-24 rounded-card" />}
        failure="Your account status couldn’t be loaded"
      >
        {(accountStatus) => <SummaryCard accountStatus={accountStatus} />}
      </Loaded>
    </section>
  )
}

function SummaryCard({ accountStatus }: { accountStatus: AccountStatus }) {
  const now = useNow()
  const { Icon, tone, title, text } = summaryOf(accountStatus, now, localTimeZone())
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
            {/* A plain link reloads the page, whose account data is outdated. */}
            <a href="/" className={textLink}>
              Continue to {brand.name}
            </a>
          </p>
        )}
      </div>
    </div>
  )
}

const ended = 'Your suspension has ended'
const grave = 'bg-clay-soft text-clay'
const good = 'bg-leaf-soft text-leaf'

export function summaryOf(
  { isBanned, suspendedUntil, mutedUntil }: Pick<AccountStatus, 'isBanned' | 'suspendedUntil' | 'mutedUntil'>,
  now: number,
  timeZone: string,
) {
  const lasts = (until: string | null): until is string => until !== null && Date.parse(until) > now
  if (isBanned) {
    const text =
      'You can use only this page and public pages such as help. If you think this is wrong, appeal below, and another moderator will decide.'
    return { Icon: Ban, tone: grave, title: 'Your account is banned', text }
  }
  if (lasts(suspendedUntil)) {
    const text = 'Until then, you can use only this page and public pages such as help. Your content isn’t deleted.'
    return { Icon: Ban, tone: grave, title: `Your account is suspended until ${momentWords(suspendedUntil, timeZone)}`, text }
  }
  if (lasts(mutedUntil)) {
    const text = 'Until then, you can read everything, but you can’t post, comment or send messages.'
    return { Icon: MessageSquareOff, tone: grave, title: `You’re muted until ${momentWords(mutedUntil, timeZone)}`, text }
  }
  if (suspendedUntil !== null) return { Icon: ShieldCheck, tone: good, title: ended, text: 'You have full access again.' }
  const text = 'You can read and write without restrictions.'
  return { Icon: ShieldCheck, tone: good, title: 'Your account is in good standing', text }
}

const StillOpen = () => (
  <nav aria-label="Still available to you" className="border-line border-t pt-6">
    <h2 className="font-semibold font-text text-sm tracking-normal">Still available to you</h2>
    <ul className="mt-3 flex flex-wrap gap-x-6 gap-y-2.5">
      {(
        [
          ['/guidelines', 'Community guidelines'],
          ['/help', 'Help center'],
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

/** Notes below held content link to it; see web/entities/account-status/moderation-note.tsx. */
const heldContentId = 'held-content'

function HeldContentList() {
  const list = useInfiniteQuery(heldContentOptions)
  const items = list.data?.pages.flatMap(({ items }) => items) ?? []
  const failed = list.isError && !list.data
  const isShown = items.length > 0 || failed || list.hasNextPage
  const heading = useRef<HTMLHeadingElement>(null)
  const isWanted = useLocation({ select: ({ hash }) => hash === heldContentId })
  useEffect(() => {
    // The router looked for this heading before the list had loaded, so scroll now.
    if (!isWanted || !isShown) return
    heading.current?.scrollIntoView({ block: 'start' })
    heading.current?.focus({ preventScroll: true })
  }, [isWanted, isShown])
  if (!isShown) return null
  return (
    <section aria-labelledby={heldContentId}>
      <h2 ref={heading} id={heldContentId} tabIndex={-1} className="scroll-mt-24 text-xl">
        Waiting for a moderator
      </h2>
      <p className="mt-1 mb-4 text-muted">Others can’t see these until a moderator approves them. We’ll notify you of the decision.</p>
      {failed ? (
        <Card>
          <LoadError level={3} title="Your held content couldn’t be loaded" query={list} />
        </Card>
      ) : (
        <>
          <Card asChild>
            <ul>
              {items.map((item) => (
                <HeldItem key={item.id} item={item} />
              ))}
            </ul>
          </Card>
          <MorePages list={list} />
        </>
      )}
    </section>
  )
}

function HeldItem({ item: { subject, title, path, heldFor, since } }: { item: HeldContent }) {
  const user = useCurrentUser()
  const now = useNow()
  const name = title ?? subjectTitle(subject)
  // For suspended people, this screen replaces the content's page, so don't link to it.
  const href = user && !isSuspended(user, now) ? path : null
  return (
    <li className="border-line px-4 py-3.5 not-last:border-b sm:px-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p className="wrap-anywhere min-w-0">
          {href ? (
            <ActionLink href={href} className={textLink}>
              {name}
            </ActionLink>
          ) : (
            name
          )}
          {title && <span className="text-muted"> · {subjectTitle(subject)}</span>}
        </p>
        <p className="text-muted text-sm">
          <Ago at={since} />
        </p>
      </div>
      {heldFor.length > 0 && (
        <ul className="mt-1.5 grid list-disc gap-0.5 pl-4.5 text-muted text-sm">
          {heldFor.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </li>
  )
}

function OwnDecisions() {
  const list = useInfiniteQuery(ownDecisionsOptions)
  useNamedDecision(list.data?.pages.flatMap(({ items }) => items) ?? [], list)
  return (
    <section aria-labelledby="own-decisions">
      <h2 id="own-decisions" className="mb-4 text-xl">
        Moderators’ decisions
      </h2>
      <PagedList
        list={list}
        loadingLabel="Loading decisions..."
        skeleton={
          <Card>
            <CardBody className="grid gap-4">
              <Skeleton className="h-5 w-3/5 rounded-full" />
              <SkeletonText lines={2} />
            </CardBody>
          </Card>
        }
        failure="The decisions couldn’t be loaded"
        cards="each"
        empty={
          <ListNote title="No moderation actions">
            See the{' '}
            <Link to="/guidelines" className={textLink}>
              guidelines
            </Link>{' '}
            and the public{' '}
            <Link to="/moderation-log" className={textLink}>
              moderation log
            </Link>
            .
          </ListNote>
        }
      >
        {(decisions) => (
          <ul className="grid gap-4">
            {decisions.map((decision) => (
              <li key={decision.id} id={decisionElementId(decision.id)} className="scroll-mt-24">
                <OwnDecisionCard decision={decision} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </section>
  )
}

const prefix = 'action-'

/** Notification links use this anchor; see server/features/notifications/notification-types.ts. */
const decisionElementId = (id: string): string => `${prefix}${id}`

type Pages = { hasNextPage: boolean; isFetching: boolean; isFetchNextPageError: boolean; fetchNextPage: () => unknown }

/** Scrolls to and focuses the decision named in the address, so screen readers continue from there. Loads pages until it's found. */
function useNamedDecision(decisions: readonly { id: string }[], pages: Pages): void {
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = pages
  const wanted = useLocation({ select: ({ hash }) => (hash.startsWith(prefix) ? hash.slice(prefix.length) : null) })
  const isFound = decisions.some(({ id }) => id === wanted)
  // IDs are chronological and the newest come first, so stop loading past the target.
  const mayComeLater = wanted !== null && !isFound && (decisions.at(-1)?.id ?? '') > wanted
  const needsNextPage = mayComeLater && hasNextPage && !isFetching && !isFetchNextPageError
  useEffect(() => {
    if (needsNextPage) fetchNextPage()
  }, [needsNextPage, fetchNextPage])
  useEffect(() => {
    if (wanted === null || !isFound) return
    const decision = document.getElementById(decisionElementId(wanted))
    decision?.scrollIntoView({ block: 'start' })
    decision?.querySelector('article')?.focus({ preventScroll: true })
  }, [wanted, isFound])
}

function useAccountStatusNews(): void {
  const client = useQueryClient()
  useEffect(() => onLive('notifications', () => void refreshAccountStatus(client)), [client])
}

const outcomes: Record<OwnReport['outcome'], { word: string; variant: 'outline' | 'leaf' | 'neutral' }> = {
  waiting: { word: 'Waiting', variant: 'outline' },
  action_taken: { word: 'Action taken', variant: 'leaf' },
  no_action: { word: 'No action taken', variant: 'neutral' },
}

function OwnReports() {
  const list = useInfiniteQuery(ownReportsOptions)
  return (
    <section aria-labelledby="own-reports">
      <h2 id="own-reports" className="mb-4 text-xl">
        Your reports
      </h2>
      <PagedList
        list={list}
        loadingLabel="Loading reports..."
        skeleton={<SkeletonText lines={2} />}
        failure="Your reports couldn’t be loaded"
        cards="whole"
        empty={<ListNote title="No reports yet">Your reports and their outcomes appear here.</ListNote>}
      >
        {(reports) => (
          <Card asChild>
            <ul>
              {reports.map(({ id, subject, reason, createdAt, outcome }) => (
                <li
                  key={id}
                  className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5 border-line px-4 py-3 not-last:border-b sm:px-5"
                >
                  <p>
                    {subjectTitle(subject)} <span className="text-muted">· {reasonOf(reason).title}</span>
                  </p>
                  <p className="flex items-center gap-3 text-muted text-sm">
                    <Ago at={createdAt} />
                    <Badge variant={outcomes[outcome].variant}>{outcomes[outcome].word}</Badge>
                  </p>
                </li>
              ))}
            </ul>
          </Card>
        )}
      </PagedList>
    </section>
  )
}
