import type { BusinessType } from '#contracts/business-types.ts'
import { hashText, seededRandom } from '#web/ui/seed.ts'
import { type CompositionName, compositions } from './compositions.ts'
import { coverHeight, coverWidth, type Shape } from './shapes.ts'
import { type CoverRole, type CoverTheme, coverPalette } from './tones.ts'

/** By business type: a farm has rows and greenhouses, a delivery service has a road. Types without their own use those of `other`. */
const repertoire: Partial<Record<BusinessType, readonly CompositionName[]>> & Record<'other', readonly CompositionName[]> = {
  farm: ['hills', 'furrows', 'terraces', 'greenhouse', 'sprigs', 'tunnel', 'canopy', 'rays', 'veins', 'contours', 'water'],
  dispensary: ['veins', 'sprigs', 'hills', 'water', 'terraces', 'rays', 'canopy', 'contours', 'greenhouse', 'facets', 'furrows', 'road'],
  smoke_shop: ['contours', 'water', 'rays', 'hills', 'facets', 'veins', 'sprigs', 'canopy'],
  glass_shop: ['facets', 'greenhouse', 'rays', 'water', 'contours', 'tunnel', 'veins'],
  food_service: ['canopy', 'sprigs', 'furrows', 'terraces', 'veins', 'rays', 'greenhouse', 'hills'],
  delivery: ['road', 'hills', 'contours', 'terraces', 'water', 'rays', 'furrows'],
  other: ['hills', 'contours', 'canopy', 'terraces', 'sprigs', 'tunnel', 'water', 'rays', 'veins'],
}

export function coverComposition(id: string, type: BusinessType): CompositionName {
  return seededRandom(hashText(id)).pick(repertoire[type] ?? repertoire.other)
}

/** The shapes of a business's cover, back to front. Deterministic for an ID and type. */
export function coverShapes(id: string, type: BusinessType): Shape[] {
  const random = seededRandom(hashText(`${id}/shapes`))
  const composition = coverComposition(id, type)
  const sky: Shape = { d: `M0 0H${coverWidth}V${coverHeight}H0z`, fill: 'sky' }
  return [sky, ...compositions[composition](random).map((shape) => ({ ...shape, d: shape.d.replaceAll(' -', '-') }))]
}

/** The CSS variable with a role's color in `cover.css`. */
export function coverVariable(role: CoverRole): string {
  return `var(--cover-${role})`
}

/**
 * A cover as SVG text, for use without a DOM. With `theme`, colors are hex values; otherwise they come from the page's stylesheet, through
 * `data-cover`. The aspect ratio is 320 × 168; other sizes are cropped.
 */
export function drawCover(id: string, type: BusinessType, options: { width?: number; height?: number; theme?: CoverTheme } = {}): string {
  const palette = options.theme && coverPalette(type, options.theme)
  const color = (role: CoverRole) => (palette ? palette[role] : coverVariable(role))
  const paths = coverShapes(id, type)
    .map(({ d, fill, stroke, width, opacity }) => {
      const paint = `fill="${fill ? color(fill) : 'none'}"`
      const line = stroke ? ` stroke="${color(stroke)}" stroke-width="${width ?? 1}"${fill ? '' : ' stroke-linecap="round"'}` : ''
      return `<path d="${d}" ${paint}${line}${opacity === undefined ? '' : ` opacity="${opacity}"`}/>`
    })
    .join('')
  const { width = coverWidth, height = coverHeight } = options
  return `<svg xmlns="http://www.w3.org/2000/svg" data-cover="${type}" width="${width}" height="${height}" viewBox="0 0 ${coverWidth} ${coverHeight}" preserveAspectRatio="xMidYMid slice">${paths}</svg>`
}
