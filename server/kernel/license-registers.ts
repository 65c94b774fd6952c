import * as z from 'zod'

const path = z.string().regex(/^[\w$-]+(\.[\w$-]+)*$/, { error: 'must be a name, or names with dots between them' })
const column = z.string().min(1).max(100)

/** Plain HTTP is allowed only on this machine, for tests and for a copy that the operator serves. */
const url = z.url({ protocol: /^https?$/ }).refine((text) => {
  const { protocol, hostname } = new URL(text.replace(/[{}]/g, ''))
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}, 'must begin with https://')

/** If set, the URL is a page that links to the file. The file's URL changes with each edition and contains this text. */
const linkContains = z.string().min(3).optional()

const source = z.discriminatedUnion('format', [
  /** A dataset on a Socrata site, read through its SODA API: https://dev.socrata.com/docs/queries/ */
  z.strictObject({ format: z.literal('socrata'), url, where: z.string().max(1000).optional() }),
  /** Pages of JSON. `{page}` in the URL counts from 1. `rows` and `hasMore` are paths within a page. */
  z.strictObject({ format: z.literal('json-pages'), url: url.includes('{page}'), rows: path, hasMore: path }),
  z.strictObject({ format: z.literal('csv'), url, linkContains, delimiter: z.string().length(1).default(',') }),
  /** `headerRow` counts from 1. `sheet` defaults to the first one. */
  z.strictObject({
    format: z.literal('xlsx'),
    url,
    linkContains,
    sheet: z.string().optional(),
    headerRow: z.int().min(1).max(100).default(1),
  }),
])

/**
 * The columns of a license file that a register can fill. All others follow from the register itself. `address` is one column with street,
 * city and ZIP code, for registers that don't separate them.
 */
export const registerColumns = [
  'license_number',
  'dba_name',
  'license_type',
  'license_status',
  'license_expiration',
  'designation',
  'address',
  'street',
  'city',
  'county',
  'zip',
  'phone',
  'website',
  'latitude',
  'longitude',
] as const

export const LicenseRegister = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/),
  state: z.string().length(2),
  name: z.string(),
  authority: z.string(),
  authorityId: z.string(),
  source,
  /** The register's column for each of `registerColumns`. If there are several, the first one that isn't empty counts. */
  columns: z.partialRecord(z.enum(registerColumns), z.union([column, z.array(column).min(1)])),
  /** What license types mean, by the words they contain. The first match counts. The import's own rules apply to types without a match. */
  types: z
    .array(
      z.strictObject({ contains: z.string().min(1), businessType: z.enum(['farm', 'dispensary', 'delivery', 'food_service', 'other']) }),
    )
    .default([]),
  /** Text that the register writes instead of leaving a cell empty. */
  placeholders: z.array(z.string()).default([]),
})
export type LicenseRegister = z.infer<typeof LicenseRegister>

export type RegisterRow = Readonly<Record<string, unknown>>

/**
 * Reads all rows of a register, in batches.
 * @throws RegisterUnavailable
 */
export type ReadRegister = (source: LicenseRegister['source'], signal?: AbortSignal) => AsyncIterable<RegisterRow[]>

/** The register could not be read to its end. The message gives the reason. */
export class RegisterUnavailable extends Error {
  override readonly name = 'RegisterUnavailable'
}
