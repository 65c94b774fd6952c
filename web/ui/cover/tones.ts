import type { BusinessType } from '#contracts/business-types.ts'

/** As in CSS `oklch()`: lightness 0–1, chroma, hue in degrees. */
export type Oklch = readonly [lightness: number, chroma: number, hue: number]

/**
 * Red, green and blue are gamma-encoded, from 0 to 1. Clips out-of-gamut values, as browsers do. Based on
 * https://bottosson.github.io/posts/oklab/.
 */
export function oklchToSrgb([lightness, chroma, hue]: Oklch): [number, number, number] {
  const radians = (hue * Math.PI) / 180
  const a = chroma * Math.cos(radians)
  const b = chroma * Math.sin(radians)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    encode(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ]
}

function encode(linear: number): number {
  const value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055
  return Math.min(1, Math.max(0, value))
}

export function oklchToHex(color: Oklch): string {
  return `#${oklchToSrgb(color)
    .map((channel) =>
      Math.round(channel * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

/** WCAG 2 contrast, from 1 to 21. */
export function contrast(one: Oklch, other: Oklch): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((x, y) => y - x) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: Oklch): number {
  const [r, g, b] = oklchToSrgb(color).map((channel) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4)) as [
    number,
    number,
    number,
  ]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** The sky, four layers from far to near, lines drawn on them, and the sun. */
export const coverRoles = ['sky', 'far', 'mid', 'near', 'deep', 'line', 'sun'] as const
export type CoverRole = (typeof coverRoles)[number]
export type CoverTheme = 'light' | 'dark'

/** Hues of land and sky, and saturation (1 is normal). Unlisted types use `other`. */
type Tone = { land: number; sky: number; vivid: number }
const coverTones: Partial<Record<BusinessType, Tone>> & Record<'other', Tone> = {
  farm: { land: 150, sky: 112, vivid: 1 },
  dispensary: { land: 180, sky: 160, vivid: 0.9 },
  smoke_shop: { land: 14, sky: 50, vivid: 0.5 },
  glass_shop: { land: 240, sky: 215, vivid: 0.85 },
  food_service: { land: 40, sky: 72, vivid: 0.95 },
  delivery: { land: 86, sky: 96, vivid: 1.2 },
  other: { land: 128, sky: 100, vivid: 0.5 },
}

/**
 * The dark theme dims the same picture to dusk. Every layer differs from the sky, because leaves grow right in front of it, and a card on a
 * phone shows only a strip of the picture. Keep in sync with `cover.css`.
 */
const ladder: Record<CoverTheme, Record<CoverRole, readonly [lightness: number, chroma: number, hue: 'land' | 'sky' | number]>> = {
  light: {
    sky: [0.94, 0.03, 'sky'],
    far: [0.85, 0.048, 'sky'],
    mid: [0.75, 0.062, 'land'],
    near: [0.62, 0.072, 'land'],
    deep: [0.47, 0.066, 'land'],
    line: [0.97, 0.02, 'sky'],
    sun: [0.88, 0.095, 85],
  },
  dark: {
    sky: [0.275, 0.022, 'land'],
    far: [0.365, 0.034, 'land'],
    mid: [0.455, 0.046, 'land'],
    near: [0.53, 0.052, 'land'],
    deep: [0.415, 0.05, 'land'],
    line: [0.64, 0.036, 'land'],
    sun: [0.68, 0.085, 82],
  },
}

export function coverColor(type: BusinessType, role: CoverRole, theme: CoverTheme): Oklch {
  const [lightness, chroma, hue] = ladder[theme][role]
  const tone = coverTones[type] ?? coverTones.other
  return typeof hue === 'number' ? [lightness, chroma, hue] : [lightness, chroma * tone.vivid, tone[hue]]
}

export function coverPalette(type: BusinessType, theme: CoverTheme): Record<CoverRole, string> {
  return Object.fromEntries(coverRoles.map((role) => [role, oklchToHex(coverColor(type, role, theme))])) as Record<CoverRole, string>
}
