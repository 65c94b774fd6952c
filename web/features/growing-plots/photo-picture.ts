import { momentText } from './format.ts'
import { css } from './palette.ts'
import type { DayPhoto } from './photo-rows.ts'
import { fitted, type Picture } from './plot-picture.ts'

const tile = { width: 220, height: 165, gap: 12, text: 26 }
const perRow = 5
/** What a phone can hold in one picture; the table's file names all. */
const mostPhotos = 100
const atOnce = 8

/** A contact sheet. A photo that cannot be had leaves its place empty and says so. */
export function photoPicture(photos: readonly DayPhoto[], timeZone: string | undefined): Picture {
  const shown = photos.slice(0, mostPhotos)
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
          if (!image) context.fillText('Could not be loaded', x + 12, y + tile.height / 2)
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
