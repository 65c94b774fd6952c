import { type PaintedColors, readColors } from '#web/ui/painted-colors.ts'

export { css, mix, type Rgb, watchColors as watchPalette } from '#web/ui/painted-colors.ts'

export const roles = ['ground', 'surface', 'sunk', 'ink', 'muted', 'line', 'edge', 'leaf', 'leaf-soft', 'on-leaf'] as const

export type Palette = PaintedColors<(typeof roles)[number]>

export const readPalette = (element: HTMLElement): Palette => readColors(element, roles)
