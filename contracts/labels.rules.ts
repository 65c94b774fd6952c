/** Lengths are in millimeters. `left` and `top` are the first label's distances from the paper's edges. */
export type LabelSheet = {
  name: string
  paper: 'Letter' | 'A4'
  paperWidth: number
  paperHeight: number
  columns: number
  rows: number
  left: number
  top: number
  width: number
  height: number
  /** Distances between the left edges and between the top edges of adjacent labels. */
  pitchX: number
  pitchY: number
  /** The sheet isn't die-cut, so hairlines show where to cut. */
  isCut: boolean
}

const inch = 25.4
const letter = { paper: 'Letter', paperWidth: 8.5 * inch, paperHeight: 11 * inch } as const
const a4 = { paper: 'A4', paperWidth: 210, paperHeight: 297 } as const

/**
 * Dimensions of commercial sheets.
 * - 5160: gLabels' `avery-us-templates.xml` (2.625 × 1 in, first label at 0.1875, 0.5 in, spaced 2.75 and 1 in)
 * - L7160: the manufacturer's 63.5 × 38.1 mm, 3 × 7 on A4 without gaps between rows and with 2.5 mm between columns, which leaves margins
 *   of 7.25 and 15.15 mm
 * - sheets to cut: no commercial model
 */
export const labelSheets = {
  'avery-5160': {
    name: 'Avery 5160 size, 30 per sheet',
    ...letter,
    ...{ columns: 3, rows: 10, left: 0.1875 * inch, top: 0.5 * inch, width: 2.625 * inch, height: inch },
    ...{ pitchX: 2.75 * inch, pitchY: inch, isCut: false },
  },
  'avery-l7160': {
    name: 'Avery L7160 size, 21 per sheet',
    ...a4,
    ...{ columns: 3, rows: 7, left: 7.25, top: 15.15, width: 63.5, height: 38.1, pitchX: 66, pitchY: 38.1, isCut: false },
  },
  'cut-letter': {
    name: 'Plain paper to cut, 24 per sheet',
    ...letter,
    ...{ columns: 3, rows: 8, left: 12.95, top: 15.7, width: 63.333, height: 31, pitchX: 63.333, pitchY: 31, isCut: true },
  },
  'cut-a4': {
    name: 'Plain paper to cut, 24 per sheet',
    ...a4,
    ...{ columns: 3, rows: 8, left: 10, top: 24.5, width: 63.333, height: 31, pitchX: 63.333, pitchY: 31, isCut: true },
  },
} as const satisfies Record<string, LabelSheet>

export const labelsOf = ({ columns, rows }: Pick<LabelSheet, 'columns' | 'rows'>): number => columns * rows

/** Per file. */
export const maxLabels = 500
