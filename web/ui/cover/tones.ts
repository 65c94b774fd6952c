import type { BusinessType } from '#contracts/business-types.ts'
import { type Oklch, oklchToHex } from '#web/ui/oklch.ts'

/** Parts of a cover by depth: the sky, four layers from far to near, a line on them, and the sun. */
export const coverRoles = ['sky', 'far', 'mid', 'near', 'deep', 'line', 'sun'] as const
export type CoverRole = (typeof coverRoles)[number]
export type CoverTheme = 'light' | 'dark'

/** Colors of a business type: land hue, sky hue, and saturation (1 is normal). Types without their own use those of `other`. */
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

/** Lightness and chroma by role; the dark theme dims the same picture to dusk. Keep in sync with `cover.css`. */
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
    sky: [0.295, 0.022, 'land'],
    far: [0.36, 0.032, 'land'],
    mid: [0.435, 0.042, 'land'],
    near: [0.35, 0.046, 'land'],
    deep: [0.255, 0.034, 'land'],
    line: [0.53, 0.036, 'land'],
    sun: [0.68, 0.085, 82],
  },
}

export function coverColor(type: BusinessType, role: CoverRole, theme: CoverTheme): Oklch {
  const [lightness, chroma, hue] = ladder[theme][role]
  const tone = coverTones[type] ?? coverTones.other
  return typeof hue === 'number' ? [lightness, chroma, hue] : [lightness, chroma * tone.vivid, tone[hue]]
}

/** Hex colors of a cover, for use without CSS. */
export function coverPalette(type: BusinessType, theme: CoverTheme): Record<CoverRole, string> {
  return Object.fromEntries(coverRoles.map((role) => [role, oklchToHex(coverColor(type, role, theme))])) as Record<CoverRole, string>
}
