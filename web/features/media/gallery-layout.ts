import type { Media } from '../../../contracts/media.ts'

/** How many pictures a gallery shows; the rest is behind the last one. */
export const galleryCells = 4

export type GalleryLayout = {
  /** Width divided by height of the whole: known before any picture has come, so that nothing jumps. */
  ratio: number
  cells: { media: Media; index: number /** The first of three is as high as the other two. */; isTall: boolean }[]
  /** How many are not shown. */
  hidden: number
}

/** A single one keeps its shape, within reason: a panorama or a tower would be a line or a wall. */
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

/** Which one the arrow keys reach in the lightbox; it goes around. */
export function nextShown(index: number, count: number, key: string): number {
  if (key === 'ArrowRight') return (index + 1) % count
  if (key === 'ArrowLeft') return (index + count - 1) % count
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : index
}
