import { ChevronLeft, ChevronRight } from 'lucide-react'
import { MediaPicture } from '#web/entities/media/media-picture.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { css } from './palette.ts'
import { fitted, type Picture, PlotFrame, type PlotProps } from './plot-frame.tsx'
import { dayText, momentText } from './plot-table.ts'
import { type DayPhoto, photoColumns, photosByPlant } from './tracker-plot-rows.ts'

type PhotoGridProps = PlotProps & {
  /** `2026-11-21`. */
  day: string
  photos: readonly DayPhoto[]
  timeZone?: string | undefined
  onPhoto?: ((photoId: string) => void) | undefined
  /** Undefined if no earlier day has photos. */
  onEarlier?: (() => void) | undefined
  onLater?: (() => void) | undefined
}

export function PhotoGrid({ day, photos, timeZone, onPhoto, onEarlier, onLater, ...frame }: PhotoGridProps) {
  const rows = photosByPlant(photos).flatMap((group) => group.photos)
  return (
    <PlotFrame
      {...frame}
      title={`Photos from ${dayText(day)}`}
      help="Plants side by side on one day, so the date doesn’t explain any differences."
      table={{ columns: photoColumns(timeZone), rows }}
      picture={() => photoPicture(rows, timeZone)}
      empty={{ title: 'No photos from this day', description: 'Add photos to that day’s log to see the plants side by side.' }}
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

const tile = { width: 220, height: 165, gap: 12, text: 26 }
const perRow = 5
/** Limits memory on phones. The table's file lists all photos. */
const maxPhotos = 100
const atOnce = 8

function photoPicture(photos: readonly DayPhoto[], timeZone: string | undefined): Picture {
  const shown = photos.slice(0, maxPhotos)
  const left = photos.length - shown.length
  const rows = Math.ceil(shown.length / perRow)
  return {
    width: perRow * (tile.width + tile.gap) - tile.gap,
    height: rows * (tile.height + tile.text + tile.gap) + (left > 0 ? 24 : 0),
    async paint(context, { palette, font }) {
      context.textBaseline = 'middle'
      for (let from = 0; from < shown.length; from += atOnce) {
        const batch = shown.slice(from, from + atOnce)
        const images = await Promise.all(batch.map(({ media }) => load(media.sources[0]?.webp)))
        for (const [nth, photo] of batch.entries()) {
          const place = from + nth
          const x = (place % perRow) * (tile.width + tile.gap)
          const y = Math.floor(place / perRow) * (tile.height + tile.text + tile.gap)
          const image = images[nth]
          context.save()
          context.beginPath()
          context.roundRect(x, y, tile.width, tile.height, 10)
          context.clip()
          context.fillStyle = css(palette.sunk)
          context.fillRect(x, y, tile.width, tile.height)
          if (image) paintCovering(context, image, x, y)
          context.restore()
          context.textAlign = 'left'
          context.fillStyle = css(palette.muted)
          context.font = `400 12px ${font}`
          if (!image) context.fillText('Couldn’t be loaded', x + 12, y + tile.height / 2)
          const time = momentText(photo.takenAt, timeZone, { hour: 'numeric', minute: '2-digit' })
          context.textAlign = 'right'
          context.fillText(time, x + tile.width, y + tile.height + 14)
          context.textAlign = 'left'
          context.fillStyle = css(palette.ink)
          context.font = `600 13px ${font}`
          context.fillText(fitted(context, photo.plantName, tile.width - 70), x, y + tile.height + 14)
        }
      }
      if (left > 0) {
        context.fillStyle = css(palette.muted)
        context.font = `400 13px ${font}`
        context.fillText(`The first ${shown.length} of ${photos.length} photos.`, 0, rows * (tile.height + tile.text + tile.gap) + 10)
      }
    },
  }
}

function paintCovering(context: CanvasRenderingContext2D, image: HTMLImageElement, x: number, y: number): void {
  const scale = Math.max(tile.width / image.naturalWidth, tile.height / image.naturalHeight)
  const width = image.naturalWidth * scale
  const height = image.naturalHeight * scale
  context.drawImage(image, x + (tile.width - width) / 2, y + (tile.height - height) / 2, width, height)
}

async function load(address: string | undefined): Promise<HTMLImageElement | null> {
  if (!address) return null
  const image = new Image()
  image.src = address
  try {
    await image.decode()
    return image
  } catch {
    return null
  }
}
