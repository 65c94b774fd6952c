import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Clock, MapPin, Phone, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { MyBusiness } from '#contracts/businesses.ts'
import { addLocation, removeLocation, saveLocation } from '#contracts/calls/locations.ts'
import type { Location, LocationDetails } from '#contracts/locations.ts'
import { HoursList, OpenLine } from '#web/entities/locations/hours-list.tsx'
import { locationRoomOptions, locationsOptions, refreshLocations } from '#web/entities/locations/locations.api.ts'
import { BusinessMap, type MapPin as Pin } from '#web/entities/map/index.tsx'
import { RoomNote } from '#web/entities/menus/room-note.tsx'
import { creationKey, dropCreationKey } from '#web/forms/creation-key.ts'
import { formDialog, LoadLatest } from '#web/forms/form-dialog.tsx'
import { isConflict } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { boot } from '#web/lib/boot.ts'
import { call } from '#web/lib/call.ts'
import { counted, formatNumber } from '#web/lib/format.ts'
import { deviceTimeZone } from '#web/lib/time-zones.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Dialog, DialogContent } from '#web/ui/dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { removals, useRemoved } from '#web/ui/pending-removals.ts'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { useSeen } from '#web/ui/when-seen.tsx'
import { blankLocation, boxAround, LocationForm, valuesOfLocation } from './location-form.tsx'

type Opened = { location: Location | null; statesHours?: true }

export function LocationsTab({ business }: { business: MyBusiness }) {
  const { data, error, isPending, isFetching, refetch } = useQuery({ ...locationsOptions(business.id), refetchOnMount: 'always' })
  const { data: room } = useQuery({ ...locationRoomOptions(business.id), refetchOnMount: 'always' })
  const remove = useRemoveLocation(business.id)
  const removed = useRemoved()
  const [opened, setOpened] = useState<Opened | null>(null)
  if (isPending) {
    return (
      <SkeletonGroup label="Loading locations..." className="grid gap-4">
        <Skeleton className="h-8 w-48 rounded-full" />
        <Skeleton className="h-44 rounded-card" />
        <Skeleton className="h-44 rounded-card" />
      </SkeletonGroup>
    )
  }
  if (!data) {
    return <LoadError title="The locations couldn’t be loaded" query={{ error, refetch, isFetching }} />
  }
  const locations = data.filter(({ id }) => !removed.has(id))
  const limit = room?.locationLimit ?? null
  const isFull = limit !== null && locations.length >= limit
  const add = (
    <Button onClick={() => setOpened({ location: null })} disabled={isFull}>
      <Plus aria-hidden="true" />
      Add location
    </Button>
  )
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div>
          <h2 className="text-xl">Locations</h2>
          <p className="mt-1 min-h-5 text-muted text-sm tabular-nums">{room && roomWords(locations.length, limit)}</p>
        </div>
        {locations.length > 0 && add}
      </div>
      {isFull && <RoomNote slug={business.slug} limit={limit} what="locations" isOver={locations.length > limit} />}
      {locations.length === 0 ? (
        <EmptyState title="No locations yet" description="Shoppers see where you are and when you’re open.">
          {add}
        </EmptyState>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <ul className="grid gap-4">
            {locations.map((location) => (
              <li key={location.id}>
                <LocationCard
                  location={location}
                  isFarm={business.type === 'farm'}
                  onEdit={() => setOpened({ location })}
                  onStateHours={() => setOpened({ location, statesHours: true })}
                  onRemove={() => remove(location)}
                />
              </li>
            ))}
          </ul>
          <LocationsMap business={business} locations={locations} />
        </div>
      )}
      {opened && (
        <LocationDialog
          key={opened.location?.id ?? 'new'}
          business={business}
          opened={opened}
          // Default to the first location's zone, because most businesses' locations are close to each other.
          timeZone={data[0]?.timeZone ?? deviceTimeZone()}
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  )
}

/** "3 of 5 locations". */
function roomWords(count: number, limit: number | null): string {
  if (limit === null) return counted(count, 'location')
  return `${formatNumber(count)} of ${counted(limit, 'location')}`
}

function goToHours(event: Event) {
  const hours = (event.currentTarget as HTMLElement | null)?.querySelector<HTMLElement>('[name="hasHours"]')
  if (!hours) return
  event.preventDefault()
  hours.closest('fieldset')?.scrollIntoView({ block: 'start' })
  hours.focus({ preventScroll: true })
}

type LocationDialogProps = { business: MyBusiness; opened: Opened; timeZone: string; onClose: () => void }

function LocationDialog({ business, opened: { location: opened, statesHours }, timeZone, onClose }: LocationDialogProps) {
  const client = useQueryClient()
  // The location as opened or, after a conflict, as someone else saved it.
  const [location, setLocation] = useState(opened)
  const [newer, setNewer] = useState<Location | null>(null)
  const subject = `location.${location ? `${location.id}.${location.version}` : `new.${business.id}`}`
  async function edit({ id, version }: Location, details: LocationDetails) {
    try {
      const saved = await call(saveLocation, { params: { id: business.id, locationId: id }, body: { ...details, version } })
      client.setQueryData(locationsOptions(business.id).queryKey, (all) => all?.map((each) => (each.id === id ? saved : each)))
    } catch (error) {
      if (isConflict(error)) {
        const all = await client.fetchQuery({ ...locationsOptions(business.id), staleTime: 0 }).catch(() => [])
        setNewer(all.find((each) => each.id === id && each.version !== version) ?? null)
      }
      throw error
    }
  }
  async function save(details: LocationDetails) {
    if (location) await edit(location, details)
    else {
      await call(addLocation, { params: { id: business.id }, body: details }, { idempotencyKey: creationKey(subject, details) })
      dropCreationKey(subject)
    }
    void refreshLocations(client)
    toast({ title: location ? 'Location saved' : `“${details.name}” added` })
    onClose()
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={location ? location.name : 'Add a location'}
        size="lg"
        {...formDialog(location === null)}
        {...(statesHours && { onOpenAutoFocus: goToHours })}
      >
        <LocationForm
          key={subject}
          type={business.type}
          subject={subject}
          location={location}
          initial={location ? { ...valuesOfLocation(location), ...(statesHours && { hasHours: true }) } : blankLocation(timeZone)}
          submitText={location ? 'Save location' : 'Add location'}
          onSubmit={save}
          onCancel={onClose}
          conflict={
            newer && (
              <LoadLatest
                onLoad={() => {
                  setLocation(newer)
                  setNewer(null)
                }}
              />
            )
          }
        />
      </DialogContent>
    </Dialog>
  )
}

type LocationCardProps = {
  location: Location
  isFarm: boolean
  onEdit: () => void
  onStateHours: () => void
  onRemove: () => void
}

function LocationCard({ location, isFarm, onEdit, onStateHours, onRemove }: LocationCardProps) {
  const { name, isMain, address, location: place, phone, hours, pin } = location
  return (
    <Card asChild>
      <article>
        <CardBody className="grid gap-4">
          <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
            <h3 className="flex min-w-0 flex-wrap items-center gap-2.5 text-lg wrap-anywhere">
              {name}
              {isMain && (
                <Badge variant="outline" className="font-text">
                  Main
                </Badge>
              )}
            </h3>
            <div className="-my-1 flex gap-1">
              <Button variant="secondary" size="sm" aria-label={`Edit ${name}`} onClick={onEdit}>
                Edit
              </Button>
              {!isMain && (
                <Button variant="quiet" size="sm" aria-label={`Remove ${name}`} onClick={onRemove}>
                  Remove
                </Button>
              )}
            </div>
          </div>
          <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
            <div className="grid content-start gap-2 text-[0.9375rem]">
              <Line icon={<MapPin aria-hidden="true" />}>
                {[address, place].filter(Boolean).join(', ') || 'Location not set'}
                <span className="block text-muted text-sm">{pinWords(pin, isFarm)}</span>
              </Line>
              {phone && <Line icon={<Phone aria-hidden="true" />}>{phone}</Line>}
            </div>
            <div className="grid content-start gap-2 text-[0.9375rem]">
              <Line icon={<Clock aria-hidden="true" />}>
                {hours ? (
                  <OpenLine location={location} />
                ) : (
                  <span className="-mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-2 text-muted">
                    Hours not listed
                    <Button variant="secondary" size="sm" aria-label={`Add hours for ${name}`} onClick={onStateHours}>
                      Add hours
                    </Button>
                  </span>
                )}
              </Line>
              <div>
                <HoursList location={location} />
              </div>
            </div>
          </div>
        </CardBody>
      </article>
    </Card>
  )
}

function pinWords(pin: Location['pin'], isFarm: boolean): string {
  if (!pin) return 'Not on the map: we couldn’t find the place.'
  if (isFarm) return 'On the map at the city’s center. We never show a farm’s exact location.'
  return {
    premise: 'On the map at the address',
    zip: 'On the map at the ZIP code’s center. Move the pin to your door so people can find you.',
    city: 'On the map at the city’s center. Move the pin to your door so people can find you.',
  }[pin.precision]
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className="flex gap-3 [&>svg]:mt-0.5 [&>svg]:size-4.5 [&>svg]:shrink-0 [&>svg]:text-muted">
      {icon}
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  )
}

function useRemoveLocation(businessId: string) {
  const client = useQueryClient()
  return ({ id, name }: Pick<Location, 'id' | 'name'>) => {
    const input = { params: { id: businessId, locationId: id } }
    removals.remove({
      id,
      title: `“${name}” removed`,
      commit: async () => {
        await call(removeLocation, input, { keepalive: true })
        void refreshLocations(client)
      },
      onFailed: (error) =>
        toast({ title: 'Error', description: `The location wasn’t removed. ${messageOf(error)}`, variant: 'destructive' }),
    })
  }
}

function LocationsMap({ business, locations }: { business: MyBusiness; locations: readonly Location[] }) {
  const { ref, isSeen } = useSeen<HTMLDivElement>()
  const pins: Pin[] = locations.flatMap(({ id, name, pin }) =>
    pin ? [{ id, slug: business.slug, name, type: business.type, ...pin, count: 1 }] : [],
  )
  const box = boxAround(pins)
  if (!box) return null
  return (
    <Card className="lg:sticky lg:top-20">
      <div
        ref={ref}
        role="img"
        aria-label={`Map: ${pins.length === 1 ? '1 pin' : `${pins.length} pins`} for ${business.name}`}
        className="h-64 bg-sunk lg:h-96 [&_button]:hidden"
      >
        {isSeen && (
          <div inert className="size-full">
            <BusinessMap
              pins={pins}
              selectedId={pins[0]?.id}
              target={box}
              tiles={{ url: boot.map.tileUrl ?? undefined, pmtiles: boot.map.pmtilesUrl ?? undefined }}
            />
          </div>
        )}
      </div>
    </Card>
  )
}
