import { css, type PaintedColors, type Rgb, readColors } from '#web/ui/painted-colors.ts'

export { css, mix, type Rgb, watchColors } from '#web/ui/painted-colors.ts'

const roles = [
  'ground',
  'surface',
  'sunk',
  'ink',
  'muted',
  'line',
  'edge',
  'leaf',
  'leaf-soft',
  'shine',
  'on-shine',
  'clay',
  'plot-sky',
  'plot-plum',
] as const

export type PlotPalette = PaintedColors<(typeof roles)[number]>

/** Colors, fonts and sizes, read from the plot's element. Sizes are in CSS pixels. */
export type Look = { palette: PlotPalette; font: string; displayFont: string; width: number; height: number }

export const readPlotPalette = (element: HTMLElement): PlotPalette => readColors(element, roles)

export const readFonts = (element: HTMLElement): Pick<Look, 'font' | 'displayFont'> => ({
  font: getComputedStyle(element).fontFamily,
  displayFont: getComputedStyle(document.documentElement).getPropertyValue('--font-display') || 'serif',
})

export type Shape = 'circle' | 'diamond' | 'triangle' | 'rect' | 'cross'
export type Mark = { color: Rgb; dash: number[]; shape: Shape }

const dashes: number[][] = [[], [7, 4], [2, 3], [10, 3, 2, 3], [14, 4]]
const shapes: readonly Shape[] = ['circle', 'diamond', 'triangle', 'rect', 'cross']

/** Neighbors differ in color, dash and shape, so any one of these is enough to distinguish them. */
export function markOf(palette: PlotPalette, nth: number): Mark {
  const colors = [palette.leaf, palette['plot-sky'], palette.clay, palette['plot-plum'], palette.ink]
  return {
    color: colors[nth % colors.length] as Rgb,
    dash: dashes[nth % dashes.length] as number[],
    shape: shapes[nth % shapes.length] as Shape,
  }
}

export const colorsOf = (palette: PlotPalette) => ({
  text: css(palette.ink),
  muted: css(palette.muted),
  line: css(palette.line),
  edge: css(palette.edge),
  surface: css(palette.surface),
})
