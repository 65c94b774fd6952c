import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { MyBusiness } from '../../../contracts/businesses.ts'
import { addLocation, type Location, type LocationDetails, saveLocation } from '../../../contracts/locations.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { counted } from '../../lib/counted.ts'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogContent } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast-store.ts'
import { formDialog } from '../menus/form-dialog.ts'
import { RoomNote } from '../menus/room-note.tsx'
import { deviceTimeZone } from '../notifications/time-zones.ts'
import { creationKey, dropCreationKey } from '../onboarding/creation-key.ts'
import { useRemoved } from '../posts/use-removed.ts'
import { LocationCard } from './location-card.tsx'
import { LocationForm } from './location-form.tsx'
import { blankLocation, valuesOfLocation } from './location-values.ts'
import { locationRoomOptions, locationsOptions } from './locations.api.ts'
import { LocationsMap } from './locations-map.tsx'
import { locationsHaveChanged, useRemoveLocation } from './use-remove-location.ts'

/** The location whose form is open, or a new one. */
type Opened = { location: Location | null; statesHours?: true }

/** Where a business is: its locations, their hours and pins. */
export function LocationsTab({ business }: { business: MyBusiness }) {
  const { data, error, isPending, isFetching, refetch } = useQuery({ ...locationsOptions(business.id), refetchOnMount: 'always' })
  const { data: room } = useQuery({ ...locationRoomOptions(business.id), refetchOnMount: 'always' })
  const remove = useRemoveLocation(business.id)
  const removed = useRemoved()
  const [opened, setOpened] = useState<Opened | null>(null)
  if (isPending) {
    return (
      <SkeletonGroup label="Loading the locations..." className="grid gap-4">
        <Skeleton className="h-8 w-48 rounded-full" />
        <Skeleton className="h-44 rounded-card" />
        <Skeleton className="h-44 rounded-card" />
      </SkeletonGroup>
    )
  }
  if (!data) {
    return (
      <ErrorState
        title="The locations could not be loaded"
        description={messageOf(error)}
        onRetry={() => void refetch()}
        pending={isFetching}
      />
    )
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
        <EmptyState title="No location yet" description="Shoppers see where you are, and when you are open.">
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
          // Most are near each other.
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

/** Whoever came to state the hours does not look for them under the rest of the form. */
function goToHours(event: Event) {
  const hours = (event.currentTarget as HTMLElement | null)?.querySelector<HTMLElement>('[name="hasHours"]')
  if (!hours) return
  event.preventDefault()
  hours.closest('fieldset')?.scrollIntoView({ block: 'start' })
  hours.focus({ preventScroll: true })
}

type LocationDialogProps = { business: MyBusiness; opened: Opened; timeZone: string; onClose: () => void }

function LocationDialog({ business, opened: { location, statesHours }, timeZone, onClose }: LocationDialogProps) {
  const client = useQueryClient()
  const subject = `location.${location?.id ?? `new.${business.id}`}`
  async function save(details: LocationDetails) {
    if (location) await call(saveLocation, { params: { id: business.id, locationId: location.id }, body: details })
    else {
      await call(addLocation, { params: { id: business.id }, body: details }, { idempotencyKey: creationKey(subject, details) })
      dropCreationKey(subject)
    }
    locationsHaveChanged(client)
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
          type={business.type}
          subject={subject}
          location={location}
          initial={location ? { ...valuesOfLocation(location), ...(statesHours && { hasHours: true }) } : blankLocation(timeZone)}
          submitText={location ? 'Save location' : 'Add location'}
          onSubmit={save}
          onCancel={onClose}
        />
      </DialogContent>
    </Dialog>
  )
}
