import { expect, test } from 'vitest'
import { cellText, headText, type PlotColumn, tableCsv } from './plot-table.ts'

type Row = { name: string; height: number | null; best: number; at: number; isKeeper: boolean }
const columns: PlotColumn<Row>[] = [
  { key: 'name', label: 'Plant', value: (row) => row.name },
  { key: 'height', label: 'Height', unit: 'cm', kind: 'number', digits: 1, value: (row) => row.height },
  { key: 'best', label: 'P(best)', kind: 'share', value: (row) => row.best },
  { key: 'at', label: 'Time', kind: 'moment', timeZone: 'America/Denver', value: (row) => row.at },
  { key: 'keeper', label: 'Keeper', kind: 'yes-no', value: (row) => row.isKeeper },
]
const row: Row = { name: '=#7', height: 124.4567, best: 0.38214, at: Date.UTC(2026, 10, 21, 12), isKeeper: true }

test('rounds only for display', () => {
  expect(columns.map((column) => cellText(column, row))).toEqual(['=#7', '124.5', '38%', 'Nov 21, 5:00 AM', 'Yes'])
  expect(columns.map(headText)).toEqual(['Plant', 'Height, cm', 'P(best)', 'Time', 'Keeper'])
})

test('shows a dash for unmeasured values, never zero', () => {
  expect(cellText(columns[1]!, { ...row, height: null })).toBe('–')
  expect(cellText(columns[1]!, { ...row, height: 0 })).toBe('0.0')
})

test('exports every digit, UTC times, and no formulas', () => {
  expect(tableCsv({ columns, rows: [row, { ...row, height: null }] })).toBe(
    '\uFEFFPlant,"Height, cm",P(best),Time,Keeper\r\n\'=#7,124.4567,0.38214,2026-11-21T12:00:00.000Z,yes\r\n\'=#7,,0.38214,2026-11-21T12:00:00.000Z,yes\r\n',
  )
})
