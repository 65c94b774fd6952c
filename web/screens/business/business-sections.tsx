import { type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Business } from '#contracts/businesses.ts'
import type { BusinessEvent } from '#contracts/events.ts'
import type { GalleryItem } from '#contracts/page-extras.ts'
import { businessStatusOptions } from '#web/entities/businesses/businesses.api.ts'
import { EventRow } from '#web/entities/events/event-row.tsx'
import { Gallery } from '#web/entities/media/gallery.tsx'
import type { ListPage } from '#web/lib/call.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { Card } from '#web/ui/card.tsx'
import { lazyDialog } from '#web/ui/lazy-overlays.tsx'
import { MorePages } from '#web/ui/paged-list.tsx'

const ReportDialog = lazyDialog(async () => (await import('#web/entities/reports/report-dialog.tsx')).ReportDialog)

type PageGalleryProps = { business: Pick<Business, 'id' | 'name'>; items: readonly GalleryItem[] }

/** The team can't report its own photos and video. */
export function PageGallery({ business, items }: PageGalleryProps) {
  const user = useCurrentUser()
  const { data: status } = useQuery({ ...businessStatusOptions(business.id), enabled: user !== null })
  const [reported, setReported] = useState<string | null>(null)
  const media = items.map((item) => item.media)
  return (
    <section aria-labelledby="business-photos">
      <h2 id="business-photos" className="text-lg">
        {titleOf(media)}
      </h2>
      <div className="mt-3">
        <Gallery
          media={media}
          of={business.name}
          onReport={status?.role === null ? ({ id }) => setReported(items.find((item) => item.media.id === id)?.id ?? null) : undefined}
        />
      </div>
      {reported && (
        <ReportDialog
          open
          onOpenChange={(isOpen) => !isOpen && setReported(null)}
          subject="gallery_item"
          subjectId={reported}
          writer={{ kind: 'business', id: business.id, name: business.name }}
        />
      )}
    </section>
  )
}

function titleOf(media: readonly { kind: string }[]): string {
  if (!media.some(({ kind }) => kind === 'video')) return 'Photos'
  return media.length === 1 ? 'Video' : 'Photos and video'
}

export function BusinessEvents({ list }: { list: UseInfiniteQueryResult<{ pages: ListPage<BusinessEvent>[] }> }) {
  const events = list.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <section aria-labelledby="business-events">
      <h2 id="business-events" className="text-lg">
        Upcoming events
      </h2>
      <Card asChild className="mt-3 p-2">
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-1">
          {events.map((event) => (
            <li key={event.id}>
              <EventRow event={event} />
            </li>
          ))}
        </ul>
      </Card>
      <MorePages list={list} />
    </section>
  )
}
