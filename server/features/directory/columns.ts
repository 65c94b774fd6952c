/** The columns of a license file, by the names in its header; their order is free and other columns are ignored. */
export const columns = [
  'state',
  'license_number',
  'dba_name',
  'license_type',
  'business_type',
  'license_status',
  'designation',
  'street',
  'city',
  'county',
  'zip',
  'phone',
  'website',
  'latitude',
  'longitude',
  'geo_precision',
  'authority',
  'authority_id',
  'data_refreshed',
  'license_expiration',
] as const

/** Other files' names for them; where both are there, ours counts. */
const aliases: Partial<Record<Column, string>> = { license_expiration: 'expiration_date' }

export const requiredColumns: readonly Column[] = ['state', 'dba_name']

export type Column = (typeof columns)[number]
export type RawRow = Record<Column, string>

export class HeaderError extends Error {
  override name = 'HeaderError'
}

/** @throws HeaderError that lists the expected columns */
export function readHeader(fields: readonly string[]): { width: number; toRow(fields: readonly string[]): RawRow } {
  const written = fields.map((field) => field.trim().toLowerCase())
  const ours = new Map(Object.entries(aliases).map(([column, alias]) => [alias, column]))
  const names = written.map((name) => {
    const column = ours.get(name)
    return column && !written.includes(column) ? column : name
  })
  const missing = requiredColumns.filter((column) => !names.includes(column))
  const doubled = columns.find((column) => names.indexOf(column) !== names.lastIndexOf(column))
  if (missing.length > 0 || doubled) {
    const problem = doubled ? `names the column ${doubled} twice` : `has no column ${missing.join(' and no column ')}`
    throw new HeaderError(
      `The first line ${problem}. Expected is a header with these columns in any order, ${requiredColumns.join(' and ')} at least: ${columns.join(', ')}.`,
    )
  }
  const positions = columns.map((column) => [column, names.indexOf(column)] as const)
  return {
    width: fields.length,
    toRow: (row) => Object.fromEntries(positions.map(([column, at]) => [column, at === -1 ? '' : (row[at] ?? '').trim()])) as RawRow,
  }
}
