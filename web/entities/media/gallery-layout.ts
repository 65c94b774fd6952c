import type { Media } from '#contracts/media.ts'

/** Number of pictures shown; the others are behind the last one. */
export const galleryCells = 4

export type GalleryLayout = {
  /** Aspect ratio of the gallery, known before pictures load, to avoid layout shift. */
  ratio: number
  /** `isTall`: the first of three, as high as the other two together. */
  cells: { media: Media; index: number; isTall: boolean }[]
  hidden: number
}

/** Limits the aspect ratio of a single picture, so that panoramas and towers stay reasonable. */
const tallest = 4 / 5
const widest = 1.91

/** One whole, two halves, one beside two, or a square of four. */
export function galleryLayout(media: readonly Media[]): GalleryLayout {
  const [first] = media
  const ratio =
    media.length === 1 && first ? Math.min(widest, Math.max(tallest, first.width / first.height)) : media.length === 2 ? 16 / 9 : 3 / 2
  return {
    ratio,
    cells: media.slice(0, galleryCells).map((each, index) => ({ media: each, index, isTall: media.length === 3 && index === 0 })),
    hidden: Math.max(0, media.length - galleryCells),
  }
}

/** Index for an arrow key in the lightbox, wrapping around. */
export function nextShown(index: number, count: number, key: string): number {
  if (key === 'ArrowRight') return (index + 1) % count
  if (key === 'ArrowLeft') return (index + count - 1) % count
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : index
}
