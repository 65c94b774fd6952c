import { knownAnalyte } from '#agronomy/analytes.ts'
import type { Cell, Line } from './certificate-lines.ts'
import { readFigure, unitIn, withoutUnit } from './lab-figures.ts'

export type Stated = { text: string; unit: string | null }

export type TableRow = {
  printed: string
  results: Stated[]
  lod: Stated | null
  loq: Stated | null
  /** Null outside tables, as in a summary. */
  table: number | null
  /** Stated in the row itself. Null means the page's sample. */
  sample: StatedSample | null
}

/** `batches` are codes of orders, batches and lots, which several samples may share. */
export type StatedSample = { name: string; codes: string[]; batches: string[]; tested: string }

type ColumnKind =
  | 'name'
  | 'result'
  | 'lod'
  | 'loq'
  | 'lod/loq'
  | 'loq/lod'
  | 'unit'
  | 'sample'
  | 'code'
  | 'batch'
  | 'date'
  | 'ignored'
  | 'other'

type Column = { kind: ColumnKind; unit: string | null; text: string; left: number; right: number }

/** The first pattern that matches decides. */
const kinds: readonly (readonly [ColumnKind, RegExp])[] = [
  [
    'name',
    /^(?:analytes?|compounds?|cannabinoids?|terpenes?|terpenoids?|parameters?|tests?|components?|constituents?|analysis)(?: name)?$/,
  ],
  ['lod/loq', /\blod\b.*\bloq\b/],
  ['loq/lod', /\bloq\b.*\blod\b/],
  ['lod', /\b(?:lod|mdl|detection limit|limit of detection)\b/],
  ['loq', /\b(?:loq|mrl|rl|pql|lloq|reporting limit|limit of quanti\w+|quanti\w+ limit)\b/],
  ['unit', /^units?(?: of measure)?$/],
  ['sample', /^(?:sample(?: name)?|client sample(?: name)?|plants?|pheno(?:type)?|strain(?: name)?|cultivar|product(?: name)?|name)$/],
  [
    'code',
    /^(?:(?:client )?sample|lab|package|metrc(?! batch| source))\b.*(?:\bid|#|\bno\.?|\bnumber|\bcode|\btag|\blabel)$|^metrc(?: sample| package)?$/,
  ],
  ['batch', /^(?:order|batch|lot|metrc)\b/],
  [
    'ignored',
    /±|1:n|^sample (?:type|matrix|category|weight|mass|size|amount)\b|\b(?:uncertainty|mu|dilution|cas|action|limits?|status|pass|qualifiers?|notes?|relative|rsd|method|flag|specification|dry)\b/,
  ],
  ['date', /\b(?:date|tested|completed|analyzed)\b/],
  ['result', /\b(?:results?|mass|amount|conc|concentration|value|percent|percentage|potency|weight|content|level|measured)\b/],
]

function columnOf(text: string, { left, right }: Pick<Cell, 'left' | 'right'>): Column {
  const words = withoutUnit(text).toLowerCase()
  const unit = unitIn(text)
  const kind = words === '' ? (unit ? 'result' : 'other') : (kinds.find(([, pattern]) => pattern.test(words))?.[0] ?? 'other')
  return { kind, unit, text, left, right }
}

const isFigure = (text: string): boolean => readFigure(text).kind !== 'unreadable'

/** Whether a cell can be above or below a column's name. */
const isPartOfHeader = (cell: Cell): boolean => {
  const { kind } = columnOf(cell.text, cell)
  return cell.text.length <= 25 && !cell.text.includes(': ') && kind !== 'other' && kind !== 'name' && !isFigure(cell.text)
}

/** A table whose rows are analytes. `left` and `right` bound its cells on the page. */
type Table = { number: number; name: Column; columns: Column[]; left: number; right: number; isGrid: boolean; isCarried: boolean }

/** In points; wider than the offset of a centered number from its column's name. */
const maxOffset = 30

type Span = Pick<Cell, 'left' | 'right'>
const apart = (a: Span, b: Span): number => Math.max(0, a.left - b.right, b.left - a.right)
const middle = ({ left, right }: Span): number => (left + right) / 2

function nearest<Each extends Span>(cell: Span, columns: readonly Each[]): Each | null {
  const [best] = columns
    .map((column) => ({ column, gap: apart(cell, column), offset: Math.abs(middle(cell) - middle(column)) }))
    .toSorted((a, b) => a.gap - b.gap || a.offset - b.offset)
  return best && best.gap <= maxOffset ? best.column : null
}

export type PageTables = {
  rows: TableRow[]
  /** Outside tables. */
  loose: Line[]
  /** Tables that may continue on the next page. */
  open: readonly Table[]
  tableCount: number
}

export const noTables: PageTables = { rows: [], loose: [], open: [], tableCount: 0 }

/**
 * Finds the tables of a page and reads their rows. Tables may be side by side, and a header may span up to four lines.
 * @param isGrid the lines are rows of a CSV file, whose columns are exact
 * @param before the previous page, whose tables may continue with known analytes until another table begins
 */
export function readTables(lines: readonly Line[], isGrid: boolean, before: PageTables): PageTables {
  const rows: TableRow[] = []
  const loose: Line[] = []
  let tables: Table[] = before.open.map((table) => ({ ...table, isCarried: true }))
  let wide: WideTable | null = null
  let tableCount = before.tableCount
  for (const [at, line] of lines.entries()) {
    const begun = beginWide(line, lines.slice(at + 1, at + 4), isGrid, tableCount)
    if (begun) {
      rows.push(...(wide ? rowsOfWide(wide) : []))
      wide = begun
      tables = []
      tableCount++
      continue
    }
    if (wide) {
      if (addToWide(wide, line)) continue
      rows.push(...rowsOfWide(wide))
      wide = null
    }
    const started = tablesIn(lines, at, isGrid, tableCount)
    tableCount += started.length
    if (started.length > 0) {
      tables = bounded([...tables.filter((table) => !table.isCarried && started.every((other) => apart(table, other) > 0)), ...started])
    }
    const read = tables
      .filter(({ number }) => !started.some((other) => other.number === number))
      .flatMap((table) => rowOf(table, line) ?? [])
    rows.push(...read)
    if (read.length === 0 && started.length === 0) loose.push(line)
  }
  if (wide) rows.push(...rowsOfWide(wide))
  return { rows, loose, open: tables, tableCount }
}

const isTest = /^(?:tests?|analysis)\b/i

function tablesIn(lines: readonly Line[], at: number, isGrid: boolean, firstNumber: number): Table[] {
  const line = lines[at] as Line
  // "Cannabinoids" next to "THCA" is the name of a test.
  if (isGrid && line.some((cell) => knownAnalyte(cell.text) && columnOf(cell.text, cell).kind !== 'name')) return []
  const named = line.filter((cell) => columnOf(cell.text, cell).kind === 'name')
  // A column of tests, such as "Potency", may come before the column of analytes.
  const [best] = named.toSorted((a, b) => Number(isTest.test(a.text)) - Number(isTest.test(b.text)))
  const names = isGrid && best ? [best] : named
  return names.flatMap((cell, nth): Table[] => {
    const [from, to] = isGrid
      ? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
      : [cell.left, names[nth + 1]?.left ?? Number.POSITIVE_INFINITY]
    const within = (each: Line) => each.filter(({ left }) => left >= from - maxOffset && left < to)
    const beside = within(line).filter((other) => other !== cell && (isGrid || other.left > cell.left))
    const end = beside.findIndex(({ text }) => !isGrid && (isFigure(text) || knownAnalyte(text) !== null))
    const columns = (end === -1 ? beside : beside.slice(0, end)).map((other) => columnOf(other.text, other))
    if (!isGrid) for (const other of [lines[at - 1], lines[at + 1], lines[at + 2]]) addWords(columns, within(other ?? []))
    const isTable = columns.some(
      ({ kind }) => kind === 'result' || kind === 'loq' || kind === 'lod' || kind === 'unit' || kind.includes('/'),
    )
    const isCrossed = isGrid && columns.length > 0 && !isTable
    if (!isTable && !isCrossed) return []
    const right = isGrid ? to : Math.max(cell.right, ...columns.map((column) => column.right))
    const left = isGrid ? from : cell.left - maxOffset / 3
    return [{ number: firstNumber + nth, name: columnOf(cell.text, cell), columns, left, right, isGrid, isCarried: false }]
  })
}

/** Adds the words of another line to the columns above or below them. Changes nothing if the line isn't part of the header. */
function addWords(columns: Column[], cells: Line): void {
  if (cells.length === 0 || !cells.every(isPartOfHeader)) return
  for (const cell of cells) {
    const at = columns.findIndex((column) => apart(cell, column) === 0)
    const column = columns[at]
    if (column) {
      const span = { left: Math.min(cell.left, column.left), right: Math.max(cell.right, column.right) }
      columns[at] = columnOf(`${column.text} ${cell.text}`, span)
    } else columns.push(columnOf(cell.text, cell))
  }
}

/** Each table ends where the next one to its right begins. */
function bounded(tables: readonly Table[]): Table[] {
  const sorted = tables.toSorted((a, b) => a.left - b.left)
  return sorted.map((table, nth) => ({ ...table, right: table.isGrid ? table.right : (sorted[nth + 1]?.left ?? Number.POSITIVE_INFINITY) }))
}

/** Null if the line contains no row of the table. */
function rowOf(table: Table, line: Line): TableRow[] | null {
  const cells = line.filter(({ left }) => left >= table.left && left < table.right)
  const [nameCells, others] = table.isGrid ? inGrid(table, cells) : leading(table, cells)
  const name = nameCells.map(({ text }) => text).join(' ')
  const printed = withoutUnit(name)
  if (printed === '' || printed.length > 60 || others.length === 0) return null
  if (columnOf(printed, table.name).kind === 'name' || (table.isCarried && !knownAnalyte(printed))) return null
  const byColumn = new Map<Column, Cell>()
  for (const cell of others) {
    const column = nearest(cell, table.columns)
    const there = column && byColumn.get(column)
    if (column && (!there || apart(cell, column) < apart(there, column))) byColumn.set(column, cell)
  }
  const textOf = (kind: ColumnKind): string => [...byColumn].find(([column]) => column.kind === kind)?.[1].text ?? ''
  const rowUnit = unitIn(textOf('unit')) ?? (textOf('unit') === '' ? unitIn(name) : textOf('unit').toLowerCase())
  const stated = (kind: ColumnKind): Stated[] =>
    [...byColumn]
      .filter(([column]) => column.kind === kind)
      .map(([column, { text }]) => ({ text, unit: unitIn(text) ?? column.unit ?? rowUnit }))
  const results = stated('result')
  const isCrossed = results.length === 0 && table.isGrid && !table.columns.some(({ kind }) => kind === 'result')
  if (isCrossed) {
    return [...byColumn]
      .filter(([{ kind }]) => kind === 'other' || kind === 'sample' || kind === 'code' || kind === 'batch')
      .map(([column, { text }]) => ({
        ...{ printed, lod: null, loq: null, table: table.number },
        results: [{ text, unit: unitIn(text) ?? rowUnit }],
        sample: { name: column.text, codes: [], batches: [], tested: '' },
      }))
  }
  if (!results.some(({ text }) => isFigure(text)) && !knownAnalyte(printed)) return null
  if (results.length === 0) return null
  const [pair] = [...stated('lod/loq'), ...stated('loq/lod')]
  const parts = pair?.text.split('/').map((text) => ({ text, unit: pair.unit }))
  const [lod, loq] = stated('loq/lod').length > 0 ? [parts?.[1], parts?.[0]] : [parts?.[0], parts?.[1]]
  return [
    {
      ...{ printed, results, table: table.number },
      lod: stated('lod')[0] ?? lod ?? null,
      loq: stated('loq')[0] ?? loq ?? null,
      sample: sampleIn(textOf),
    },
  ]
}

function sampleIn(textOf: (kind: ColumnKind) => string): StatedSample {
  const all = (kind: ColumnKind) => [textOf(kind)].filter((text) => text !== '')
  return { name: textOf('sample'), codes: all('code'), batches: all('batch'), tested: textOf('date') }
}

const inGrid = (table: Table, cells: Line): [Cell[], Cell[]] => [
  cells.filter((cell) => apart(cell, table.name) === 0),
  cells.filter((cell) => apart(cell, table.name) > 0),
]

/** The name's cells, and the rest of the line from the first figure, unit or cell under a column. A name may be in two pieces. */
function leading(table: Table, cells: Line): [Cell[], Cell[]] {
  const firstLeft = Math.min(...table.columns.map(({ left }) => left))
  const end = cells.findIndex(
    ({ text, right }, nth) => isFigure(text) || unitIn(text) === text.toLowerCase() || (nth > 0 && right > firstLeft),
  )
  return end === -1 ? [[...cells], []] : [cells.slice(0, end), cells.slice(end)]
}

type AnalyteColumn = Span & { printed: string; unit: string | null }
/** A table whose columns are analytes. Its rows are samples in a CSV, and measures of one sample in a PDF. */
type WideTable = {
  number: number
  isGrid: boolean
  analytes: AnalyteColumn[]
  columns: Column[]
  rows: TableRow[]
  measures: { label: string; cells: Map<AnalyteColumn, string> }[]
}

const measureLabel = /^(?:lod|loq)\b/i
const isMeasure = (cell: Cell | undefined): boolean =>
  cell !== undefined && (measureLabel.test(cell.text) || withoutUnit(cell.text) === '') && !isFigure(cell.text)

function beginWide(line: Line, next: readonly Line[], isGrid: boolean, number: number): WideTable | null {
  if (line.some(({ text }) => isFigure(text))) return null
  const isAnalyte = ({ text }: Cell) => knownAnalyte(withoutUnit(text)) !== null
  const analytes = line.filter(isAnalyte).map((cell) => ({ ...cell, printed: withoutUnit(cell.text), unit: unitIn(cell.text) }))
  if (analytes.length < (isGrid ? 2 : 3)) return null
  const isTable = isGrid ? next.some((each) => each.some(({ text }) => isFigure(text))) : next.some(([first]) => isMeasure(first))
  if (!isTable) return null
  const columns = line.filter((cell) => !isAnalyte(cell)).map((cell) => columnOf(cell.text, cell))
  return { number, isGrid, analytes, columns, rows: [], measures: [] }
}

/** @returns false if the table has ended */
function addToWide(table: WideTable, line: Line): boolean {
  const byAnalyte = new Map<AnalyteColumn, string>()
  if (table.isGrid) {
    for (const cell of line) {
      const analyte = table.analytes.find((each) => apart(cell, each) === 0)
      if (analyte) byAnalyte.set(analyte, cell.text)
    }
    const isUnit = (text: string) => unitIn(text) === text.toLowerCase()
    if (byAnalyte.size > 0 && [...byAnalyte.values()].every(isUnit)) {
      for (const [analyte, text] of byAnalyte) analyte.unit ??= unitIn(text)
      return true
    }
    const textOf = (kind: ColumnKind): string => {
      const column = table.columns.find((each) => each.kind === kind)
      return (column && line.find((cell) => apart(cell, column) === 0)?.text) ?? ''
    }
    const sample = sampleIn(textOf)
    const unit = unitIn(textOf('unit'))
    for (const [analyte, text] of byAnalyte) {
      const results = [{ text, unit: unitIn(text) ?? analyte.unit ?? unit }]
      table.rows.push({ printed: analyte.printed, results, lod: null, loq: null, table: table.number, sample })
    }
    return byAnalyte.size > 0
  }
  const [first, ...rest] = line
  if (!first || !isMeasure(first)) return false
  for (const cell of rest) {
    const analyte = nearest(cell, table.analytes)
    if (analyte) byAnalyte.set(analyte, cell.text)
  }
  table.measures.push({ label: first.text, cells: byAnalyte })
  return true
}

/** In a PDF, the rows are built from lines such as “%”, “mg/unit” and “LOD”. The line below a limit may give its unit. */
function rowsOfWide(table: WideTable): TableRow[] {
  const { measures, analytes } = table
  return [
    ...table.rows,
    ...(table.isGrid ? [] : analytes).flatMap((analyte): TableRow[] => {
      const limit = (pattern: RegExp): Stated | null => {
        const at = measures.findIndex(({ label }) => pattern.test(label))
        const text = measures[at]?.cells.get(analyte)
        const below = measures[at + 1]?.cells.get(analyte) ?? ''
        return text === undefined ? null : { text, unit: isFigure(below) ? unitIn(measures[at]?.label ?? '') : unitIn(below) }
      }
      const results = measures.flatMap(({ label, cells }) => {
        const text = cells.get(analyte)
        return text === undefined || measureLabel.test(label) || !isFigure(text) ? [] : [{ text, unit: unitIn(text) ?? unitIn(label) }]
      })
      const row = { printed: analyte.printed, results, lod: limit(/^lod/i), loq: limit(/^loq/i), table: table.number, sample: null }
      return results.length === 0 ? [] : [row]
    }),
  ]
}
