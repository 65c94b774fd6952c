import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useCanGoBack, useRouter } from '@tanstack/react-router'
import { ArrowLeft, CalendarClock, CalendarPlus, Flag, Lock, MapPin, Settings2, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { calendarFilePath } from '#contracts/addresses.ts'
import { businessTypeLabels } from '#contracts/business-types.ts'
import { rsvpToEvent, withdrawRsvp } from '#contracts/calls/events.ts'
import type { BusinessEvent } from '#contracts/events.ts'
import { ModerationNote } from '#web/entities/account-status/moderation-note.tsx'
import { BusinessThumb } from '#web/entities/businesses/business-picture.tsx'
import { directionsUrl, mapSite } from '#web/entities/businesses/directions.ts'
import { EventBadges, isOver, placeWords, seatWords, whenWords } from '#web/entities/events/event-row.tsx'
import { eventHasChanged, eventOptions, refreshEvent } from '#web/entities/events/events.api.ts'
import { useReport } from '#web/entities/reports/use-report.tsx'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { possessive } from '#web/lib/format.ts'
import { useStore } from '#web/lib/store.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { Skeleton, SkeletonGroup, SkeletonText } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'

const frame = 'mx-auto max-w-feed px-4 pt-4 pb-16 sm:px-6 sm:pt-6'

export function EventScreen({ id }: { id: string }) {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  const { data: event, error, isPending, isFetching, refetch } = useQuery(eventOptions(id))
  const leave = () => (canGoBack ? router.history.back() : void router.navigate({ to: '/' }))
  if (isPending) return <EventSkeleton />
  if (!event) {
    if (error instanceof ApiError && error.status === 404) {
      return (
        <EmptyState level={1} title="Event not found" description="It may have been deleted, or you may not have access.">
          <Button onClick={leave}>
            <ArrowLeft aria-hidden="true" />
            Go Back
          </Button>
          <Button asChild variant="secondary">
            <Link to="/events">See events</Link>
          </Button>
        </EmptyState>
      )
    }
    return (
      <div className="py-10">
        <h1 className="sr-only">Event</h1>
        <LoadError title="This event couldn’t be loaded" query={{ error, refetch, isFetching }} />
      </div>
    )
  }
  return (
    <div className={frame}>
      <Button variant="quiet" size="sm" className="-ml-3 mb-2" onClick={leave}>
        <ArrowLeft aria-hidden="true" />
        Back
      </Button>
      <EventCard event={event} />
    </div>
  )
}

function EventCard({ event }: { event: BusinessEvent }) {
  const { business, title, description, isLocked, canceledAt, cancelNote, moderation, heldFor, abilities } = event
  const place = placeWords(event)
  const isPast = isOver(event)
  return (
    <Card asChild>
      <article>
        <CardBody className="grid gap-5 sm:p-6">
          <div className="flex items-center gap-3">
            <BusinessThumb business={business} className="size-11" />
            <div className="min-w-0">
              <Link
                to="/business/$id"
                params={{ id: business.slug }}
                className="touch-target rounded-tag font-semibold wrap-anywhere hover:underline hover:underline-offset-3"
              >
                {business.name}
              </Link>
              <p className="text-muted text-sm">{businessTypeLabels[business.type]}</p>
            </div>
          </div>
          <div className="grid gap-2">
            <h1 className="text-2xl text-balance wrap-anywhere">{title}</h1>
            <EventBadges event={event} />
          </div>
          {canceledAt && (
            <div className="rounded-input bg-clay-soft px-4 py-3 text-clay">
              <p className="font-semibold">This event is canceled.</p>
              {cancelNote && <p className="mt-0.5 whitespace-pre-line wrap-anywhere">{cancelNote}</p>}
            </div>
          )}
          {isPast && !canceledAt && <p className="rounded-input bg-sunk px-4 py-3 font-semibold">This event is over.</p>}
          <ModerationNote state={moderation} subject="event" heldFor={heldFor} isByBusiness />
          <div className="grid gap-2.5">
            <Line icon={<CalendarClock />}>
              <time dateTime={event.startsAt}>{whenWords(event, new Date())}</time>
            </Line>
            {place && (
              <Line icon={<MapPin />}>
                {place} <Directions event={event} />
              </Line>
            )}
            {!isLocked && (
              <Line icon={<Users />}>
                <span className="tabular-nums">{seatWords(isPast ? { ...event, capacity: null } : event)}</span>
              </Line>
            )}
          </div>
          {!isPast && (
            <>
              <Answer event={event} />
              {isLocked && <LockedNote event={event} />}
            </>
          )}
          {description && <p className="max-w-text whitespace-pre-line wrap-anywhere">{description}</p>}
          <div className="flex flex-wrap gap-2 border-line border-t pt-4 empty:hidden">
            {abilities.seeAttendees && (
              <Button asChild variant="secondary" size="sm">
                <Link to="/business-dashboard/events" search={{ business: business.slug }}>
                  <Settings2 aria-hidden="true" />
                  Manage events
                </Link>
              </Button>
            )}
            {abilities.report && <Report event={event} />}
          </div>
        </CardBody>
      </article>
    </Card>
  )
}

const Line = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <p className="flex items-start gap-2.5 wrap-anywhere [&_svg]:mt-1 [&_svg]:size-4.5 [&_svg]:shrink-0 [&_svg]:text-leaf">
    {icon}
    <span className="min-w-0">{children}</span>
  </p>
)

function Directions({ event: { business, place } }: { event: BusinessEvent }) {
  const site = useStore(mapSite)
  const to = { name: place?.venue ?? business.name, address: place?.address ?? null, location: place?.city ?? null, zip: null, pin: null }
  const directions = directionsUrl(to, site, navigator.userAgent)
  if (!directions) return null
  return (
    <a
      href={directions}
      {...(directions.startsWith('geo:') ? {} : { target: '_blank', rel: 'noopener noreferrer' })}
      className={`${textLink} touch-target ml-1 inline-block`}
    >
      Directions
    </a>
  )
}

function Answer({ event }: { event: BusinessEvent }) {
  const rsvp = useRsvp(event.id)
  const { isGoing, isLocked, abilities, business, canceledAt } = event
  const isFull = event.capacity !== null && event.goingCount >= event.capacity
  // People who have left the audience can still cancel their RSVP, and then see that it's canceled.
  if (isLocked && (!isGoing || canceledAt) && rsvp.variables !== false) return null
  return (
    <div className="grid gap-2.5">
      <div className="flex flex-wrap gap-2.5">
        {isGoing && !canceledAt ? (
          <Button variant="secondary" onClick={() => rsvp.mutate(false)} pending={rsvp.isPending} pendingText="Saving...">
            Cancel RSVP
          </Button>
        ) : (
          abilities.rsvp && (
            <Button onClick={() => rsvp.mutate(true)} pending={rsvp.isPending} pendingText="Saving...">
              RSVP
            </Button>
          )
        )}
        {!isLocked && (
          <Button asChild variant="secondary">
            <a href={calendarFilePath(event.id)} download>
              <CalendarPlus aria-hidden="true" />
              Add to calendar
            </a>
          </Button>
        )}
      </div>
      <p aria-live="polite" className="text-muted text-sm">
        {isGoing && !canceledAt
          ? goingWords(event, Date.now())
          : isLocked && !isGoing
            ? 'Your RSVP is canceled.'
            : abilities.rsvp
              ? `${possessive(business.name)} team will see your name when you RSVP.`
              : isFull && !canceledAt
                ? 'All seats are taken. A seat may open up if someone cancels.'
                : ''}
      </p>
    </div>
  )
}

/** Promises a reminder only if one is still to come. */
export const goingWords = ({ remindAt }: Pick<BusinessEvent, 'remindAt'>, now: number): string =>
  remindAt !== null && Date.parse(remindAt) > now ? 'You’re going. We’ll remind you before it begins.' : 'You’re going.'

function LockedNote({ event: { audience, business } }: { event: BusinessEvent }) {
  const isVip = audience === 'vip'
  return (
    <div className="grid gap-3 rounded-card bg-sunk p-4 sm:p-5">
      <div className="flex gap-3">
        <Lock aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-leaf" />
        <div>
          <p className="font-semibold">{isVip ? 'For VIP members' : 'For subscribers'}</p>
          <p className="mt-0.5 text-muted text-sm">
            {isVip
              ? 'With the VIP plan, you can see what it’s about and where it is, and RSVP to every VIP event.'
              : `Subscribe to ${business.name} to see what it’s about and where it is, and to RSVP.`}
          </p>
        </div>
      </div>
      <div>
        <Button asChild>
          {isVip ? (
            <Link to="/billing">See the VIP plan</Link>
          ) : (
            <Link to="/business/$id" params={{ id: business.slug }}>
              Go to {business.name}
            </Link>
          )}
        </Button>
      </div>
    </div>
  )
}

function Report({ event: { id, business } }: { event: BusinessEvent }) {
  const { dialog, open } = useReport('event', id, { kind: 'business', id: business.id, name: business.name })
  return (
    <>
      <Button variant="quiet" size="sm" onClick={open}>
        <Flag aria-hidden="true" />
        Report
      </Button>
      {dialog}
    </>
  )
}

const EventSkeleton = () => (
  <div className={frame}>
    <SkeletonGroup label="Loading the event..." className="grid gap-5 rounded-card border border-line bg-surface p-5 sm:p-6">
      <span className="flex items-center gap-3">
        <Skeleton className="size-11" />
        <SkeletonText lines={2} className="w-40" />
      </span>
      <Skeleton className="h-8 w-4/5 rounded-full" />
      <SkeletonText lines={3} className="w-2/3" />
      <Skeleton className="h-11 w-52" />
      <SkeletonText lines={4} />
    </SkeletonGroup>
  </div>
)

function useRsvp(id: string) {
  const client = useQueryClient()
  const { queryKey } = eventOptions(id)
  return useMutation({
    mutationKey: ['rsvp', id],
    // Serialized, so the last press wins.
    scope: { id: `rsvp:${id}` },
    mutationFn: (isGoing: boolean) => call(isGoing ? rsvpToEvent : withdrawRsvp, { params: { id } }),
    onMutate: (isGoing) => {
      const before = client.getQueryData(queryKey)
      const withAnswer = (event: BusinessEvent) => ({
        ...event,
        isGoing,
        goingCount: event.goingCount + (event.isGoing === isGoing ? 0 : isGoing ? 1 : -1),
      })
      client.setQueryData(queryKey, (event) => event && withAnswer(event))
      return before
    },
    onError: (error, _isGoing, before) => {
      client.setQueryData(queryKey, before)
      void refreshEvent(client, id)
      toast({ title: 'Your RSVP wasn’t saved', description: messageOf(error), variant: 'destructive' })
    },
    onSuccess: (event) => eventHasChanged(client, id, event),
  })
}
