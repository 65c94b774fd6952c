import { useInfiniteQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { homeRadiusMiles } from '#contracts/limits.ts'
import { ChoiceMenu } from '#web/entities/directory/choice-menu.tsx'
import { isPoint } from '#web/entities/directory/discover-search.ts'
import { PlaceField, PlaceNotFound, usePlace } from '#web/entities/directory/search-fields.tsx'
import { EventRow } from '#web/entities/events/event-row.tsx'
import { type EventSearch, foundEventsOptions } from '#web/entities/events/events.api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { nearHome } from '#web/lib/near-home.ts'
import { stateList } from '#web/lib/state-names.ts'
import { formatRadius, radiusText, useUnits } from '#web/lib/units.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { chipClass } from '#web/ui/chip.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { SkeletonRow } from '#web/ui/skeleton.tsx'

type EventsScreenProps = { search: EventSearch; onSearch: (search: EventSearch) => void }

export function EventsScreen({ search, onSearch }: EventsScreenProps) {
  const { near, radius = homeRadiusMiles } = search
  const list = useInfiniteQuery({ ...foundEventsOptions(search), placeholderData: (previous) => previous })
  const home = nearHome(useCurrentUser()).near
  const unit = useUnits().distance
  const place = usePlace(near ?? '', (chosen) => onSearch(chosen === '' ? { everywhere: true } : { near: chosen }))
  const placeError = list.error instanceof ApiError ? (list.error.fields.near ?? null) : null
  const isState = stateList.some(([, name]) => name === near)
  const where = near === undefined ? null : isPoint(near) ? 'near your location' : `${isState ? 'in' : 'near'} ${near}`
  const wider = isState ? undefined : eventRadii.find((miles) => miles > radius)
  const everywhere = () => onSearch({ everywhere: true })
  return (
    <div className="mx-auto max-w-feed px-4 pt-4 pb-16 sm:px-6 sm:pt-6">
      <h1 className="text-xl sm:text-3xl">{where === null ? 'Upcoming events' : `Events ${where}`}</h1>
      <search aria-label="Events" className="mt-4 block">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            place.submit()
          }}
          className="grid gap-3"
        >
          <PlaceField place={place} label={<span className="sr-only">Place</span>} placeholder="City or ZIP code" error={placeError} />
          <div className="flex flex-wrap items-center gap-2 empty:hidden">
            {near !== undefined && !isState && (
              <ChoiceMenu
                label="Distance"
                choices={[...new Set([...eventRadii, radius])]
                  .sort((a, b) => a - b)
                  .map((miles) => ({ value: String(miles), text: `Within ${formatRadius(miles, unit)}` }))}
                current={String(radius)}
                onChoose={(value) => onSearch({ near, radius: Number(value) === homeRadiusMiles ? undefined : Number(value) })}
              >
                <button type="button" className={chipClass(false)}>
                  <span className="sr-only">Distance: </span>
                  Within {radiusText(radius, unit)}
                  <ChevronDown aria-hidden="true" />
                </button>
              </ChoiceMenu>
            )}
            {near !== undefined && (
              <button type="button" onClick={everywhere} className={chipClass(false)}>
                Everywhere
              </button>
            )}
            {home !== undefined && near !== home && (
              <button type="button" onClick={() => onSearch({})} className={chipClass(false)}>
                Near {home}
              </button>
            )}
          </div>
        </form>
      </search>
      <div className="mt-4">
        {placeError ? (
          <PlaceNotFound near={near} />
        ) : (
          <PagedList
            list={list}
            cards="whole"
            loadingLabel="Loading events..."
            skeleton={<SkeletonRow />}
            failure="The events couldn’t be loaded"
            empty={
              where === null ? (
                <EmptyState title="No upcoming events" description="Events from businesses will be listed here." />
              ) : (
                <EmptyState
                  title="No upcoming events"
                  description={isState ? `Nothing is planned ${where}.` : `Nothing is planned within ${formatRadius(radius, unit)}.`}
                >
                  {wider && <Button onClick={() => onSearch({ near, radius: wider })}>Search within {formatRadius(wider, unit)}</Button>}
                  <Button variant={wider ? 'secondary' : 'primary'} onClick={everywhere}>
                    Events everywhere
                  </Button>
                </EmptyState>
              )
            }
          >
            {(events) => (
              <Card asChild className={cx('p-2 transition-opacity', list.isPlaceholderData && 'opacity-60')}>
                <ul aria-label="Events" aria-busy={list.isPlaceholderData} className="grid grid-cols-[minmax(0,1fr)] gap-1">
                  {events.map((event) => (
                    <li key={event.id}>
                      <EventRow event={event} showsBusiness level={2} />
                    </li>
                  ))}
                </ul>
              </Card>
            )}
          </PagedList>
        )}
      </div>
    </div>
  )
}

const eventRadii = [10, 25, homeRadiusMiles, 100, 250]
