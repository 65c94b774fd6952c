import { ChevronLeft, ChevronRight } from 'lucide-react'
import { IconButton } from '../../ui/icon-button.tsx'
import { MediaPicture } from '../media/media-picture.tsx'
import { dayText, momentText } from './format.ts'
import { photoPicture } from './photo-picture.ts'
import { type DayPhoto, photoColumns, photosByPlant } from './photo-rows.ts'
import { PlotFrame, type PlotProps } from './plot-frame.tsx'

type PhotoGridProps = PlotProps & {
  /** `2026-11-21`. */
  day: string
  /** The photos of this day; plants in the order in which they are to stand. */
  photos: readonly DayPhoto[]
  timeZone?: string | undefined
  onPhoto?: ((photoId: string) => void) | undefined
  /** To the photos of the next older and the next newer day that has some; without one there is none. */
  onEarlier?: (() => void) | undefined
  onLater?: (() => void) | undefined
}

/** All photos of one day beside each other, plant by plant. */
export function PhotoGrid({ day, photos, timeZone, onPhoto, onEarlier, onLater, ...frame }: PhotoGridProps) {
  const rows = photosByPlant(photos).flatMap((group) => group.photos)
  return (
    <PlotFrame
      {...frame}
      title={`Photos of ${dayText(day)}`}
      help="Plants side by side on one day, so that what differs is the plant and not the light or the week."
      table={{ columns: photoColumns(timeZone), rows }}
      picture={() => photoPicture(rows, timeZone)}
      empty={{ title: 'No photos of this day', description: 'Add photos with the day’s log, and the plants stand here side by side.' }}
      height={420}
      controls={
        (onEarlier || onLater) && (
          <div className="flex gap-1">
            <IconButton label="Earlier day with photos" variant="outline" disabled={!onEarlier} onClick={onEarlier}>
              <ChevronLeft aria-hidden="true" />
            </IconButton>
            <IconButton label="Later day with photos" variant="outline" disabled={!onLater} onClick={onLater}>
              <ChevronRight aria-hidden="true" />
            </IconButton>
          </div>
        )
      }
    >
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(9.5rem,44%),1fr))] gap-2.5">
        {rows.map((photo) => (
          <li key={photo.photoId} className="min-w-0 [contain-intrinsic-size:auto_12rem] [content-visibility:auto]">
            <Photo photo={photo} timeZone={timeZone} onPhoto={onPhoto} />
          </li>
        ))}
      </ul>
    </PlotFrame>
  )
}

type PhotoProps = { photo: DayPhoto; timeZone: string | undefined; onPhoto: ((photoId: string) => void) | undefined }

function Photo({ photo, timeZone, onPhoto }: PhotoProps) {
  const time = momentText(photo.takenAt, timeZone, { hour: 'numeric', minute: '2-digit' })
  const content = (
    <>
      <span className="block aspect-[4/3] overflow-hidden rounded-input bg-sunk">
        <MediaPicture media={photo.media} sizes="(min-width: 1200px) 180px, (min-width: 640px) 25vw, 46vw" />
      </span>
      <span className="mt-1 flex items-baseline justify-between gap-2 text-sm">
        <span className="truncate font-semibold">{photo.plantName}</span>
        <span className="shrink-0 text-muted text-xs tabular-nums">{time}</span>
      </span>
    </>
  )
  if (!onPhoto) return <div className="p-0.5">{content}</div>
  return (
    <button
      type="button"
      onClick={() => onPhoto(photo.photoId)}
      className="block w-full rounded-input p-0.5 text-left focus-visible:-outline-offset-1"
    >
      {content}
    </button>
  )
}
