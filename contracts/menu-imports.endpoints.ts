import { endpoint } from './endpoint.ts'
import { Id, IdOrSlug, IdOrSlugParams, line, page } from './fields.ts'
import { maxMenuFileBytes } from './limits.ts'
import { menuFieldKeys } from './menu-fields.ts'
import { MenuSource, NewMenuSource } from './menu-sources.ts'
import * as z from './zod.ts'

/** What a file's column can be: a menu field, a picture's URL, whether the row is published or hidden, or the shop it is for. */
const MenuFileField = z.enum([...menuFieldKeys, 'imageUrl', 'isActive', 'isHidden', 'shop'])
export type MenuFileField = z.infer<typeof MenuFileField>

/** What happens to items and sizes on the menu that aren't in the file. */
export const MissingItems = z.enum(['leave', 'out_of_stock', 'remove'])
export type MissingItems = z.infer<typeof MissingItems>

const RowRemark = z.object({ row: z.int(), field: z.nullable(MenuFileField), message: z.string() })

/**
 * - `receiving`: incomplete; resume at `receivedBytes`
 * - `ready`: parsed, so columns can be mapped and the import started
 * - `running`: progress is `rowsDone` of `rowsTotal`
 * - `failed`: nothing changed
 * - `done`, `undone`
 */
const MenuImportStatus = z.enum(['receiving', 'ready', 'running', 'done', 'failed', 'undone'])

export const MenuImport = z.object({
  id: Id,
  fileName: z.string(),
  /** A file, or what a point of sale sent: the complete menu, some items, or items to remove. */
  kind: z.enum(['file', 'full_sync', 'update', 'removal']),
  keyName: z.nullable(z.string()),
  status: MenuImportStatus,
  byteSize: z.int(),
  receivedBytes: z.int(),
  /** The file's columns in order, with the menu field for each. Null if the column is skipped. */
  columns: z.array(z.object({ name: z.string(), field: z.nullable(MenuFileField), examples: z.array(z.string()) })),
  /** The first rows as the import would store them, with their errors. */
  preview: z.array(
    z.object({
      row: z.int(),
      values: z.partialRecord(MenuFileField, z.string()),
      errors: z.array(z.object({ field: z.nullable(MenuFileField), message: z.string() })),
      /** What an editor should check, such as two columns with different units. The row is imported anyway. */
      notes: z.array(z.object({ field: z.nullable(MenuFileField), message: z.string() })),
      /**
       * A row is a variant. Variants are matched by SKU, or by weight within the item of that name, brand and category. A row without a
       * match adds a variant to an item on the menu or in an earlier row (`add_variant`), or a new item (`add`). Rows that the point of
       * sale doesn't publish are `inactive`.
       */
      effect: z.enum(['add', 'add_variant', 'change', 'same', 'inactive', 'refused']),
    }),
  ),
  error: z.nullable(z.string()),
  /** If false, a single row with an error stops the import. */
  skipsWrongRows: z.boolean(),
  /** If true, rows that differ only in weight become separate items. */
  keepsRowsApart: z.boolean(),
  missingItems: MissingItems,
  /** Whether the file's prices include tax, which becomes the menu's setting. Null leaves the setting unchanged. */
  pricesIncludeTax: z.nullable(z.boolean()),
  /** Columns and choices were taken from an earlier import with the same header. */
  isMappingKnown: z.boolean(),
  rowsTotal: z.int(),
  rowsDone: z.int(),
  rowsRefused: z.int(),
  rowsInactive: z.int(),
  /** Rows for other shops. Not included in `rowsTotal`. */
  rowsElsewhere: z.int(),
  rowsGrouped: z.int(),
  rowsFlagged: z.int(),
  /** The first 100 errors and notes in the whole file, available once the mapping has been checked. */
  rowErrors: z.array(RowRemark),
  rowNotes: z.array(RowRemark),
  /** What the import changed or, while it is `ready`, would change. */
  itemsAdded: z.int(),
  itemsChanged: z.int(),
  itemsConfirmed: z.int(),
  itemsMissing: z.int(),
  itemsRemoved: z.int(),
  canUndo: z.boolean(),
  createdAt: z.iso.datetime(),
  finishedAt: z.nullable(z.iso.datetime()),
})
export type MenuImport = z.infer<typeof MenuImport>

export const ImportParams = z.object({ id: IdOrSlug, importId: Id })

export const listMenuImports = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/menu-imports',
  summary: "List a menu's imports, newest first",
  tag: 'Menus',
  access: 'member',
  paginated: true,
  params: IdOrSlugParams,
  query: z.object(page),
  response: z.array(MenuImport),
})

export const beginMenuImport = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/menu-imports',
  summary: 'Begin an import of a CSV or Excel file: announce its size, then PUT its bytes',
  tag: 'Menus',
  access: 'member',
  words: 'draft',
  idempotent: true,
  params: IdOrSlugParams,
  body: z.object({
    fileName: line(200, 'Enter a file name'),
    byteSize: z.int().check(z.minimum(1, 'The file is empty'), z.maximum(maxMenuFileBytes, 'A menu file can be up to 10 MB')),
  }),
  response: MenuImport,
  status: 201,
})

export const sendMenuFile = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/menu-imports/:importId/bytes',
  summary: 'Upload the bytes of a menu file in order, starting at `offset`, at most 1 MiB at a time. Idempotent.',
  tag: 'Menus',
  access: 'member',
  words: 'draft',
  rateLimit: 'upload',
  params: ImportParams,
  query: z.object({
    offset: z.pipe(
      z.transform((value: unknown) => Number(value)),
      z.int().check(z.minimum(0)),
    ),
  }),
  receives: 'bytes',
  response: MenuImport,
})

export const getMenuImport = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/menu-imports/:importId',
  summary: 'Read an import: its columns and preview, its progress and what it changed',
  tag: 'Menus',
  access: 'member',
  params: ImportParams,
  response: MenuImport,
})

export const mapMenuColumns = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/menu-imports/:importId/mapping',
  summary: 'Map the columns. Returns the preview and the first 100 errors in the file.',
  tag: 'Menus',
  access: 'member',
  params: ImportParams,
  body: z.object({
    /** In the order of the file's columns. */
    fields: z.array(z.nullable(MenuFileField)).check(z.maxLength(200)),
    skipsWrongRows: z._default(z.boolean(), false),
    keepsRowsApart: z.optional(z.boolean()),
    missingItems: z.optional(MissingItems),
    pricesIncludeTax: z.optional(z.nullable(z.boolean())),
  }),
  response: MenuImport,
})

export const startMenuImport = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/menu-imports/:importId/start',
  summary: 'Apply an import: the whole file or nothing. Idempotent.',
  tag: 'Menus',
  access: 'member',
  words: 'published',
  params: ImportParams,
  response: MenuImport,
})

export const undoMenuImport = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/menu-imports/:importId/undo',
  summary: 'Undo an import. Returns 409 if items were changed since, unless `anyway` is set.',
  tag: 'Menus',
  access: 'member',
  params: ImportParams,
  body: z.object({ anyway: z._default(z.boolean(), false) }),
  response: MenuImport,
})

const SourceAnswer = z.object({ source: z.nullable(MenuSource) })

export const getMenuSource = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/menu-source',
  summary: 'Read the address that a menu is fetched from, and the result of the last fetch',
  tag: 'Menus',
  access: 'member',
  params: IdOrSlugParams,
  response: SourceAnswer,
})

export const saveMenuSource = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/menu-source',
  summary:
    'Set the address that a menu is fetched from: a CSV or Excel file, or JSON in the format of the integrations. The first fetch starts immediately.',
  tag: 'Menus',
  access: 'member',
  words: 'account',
  params: IdOrSlugParams,
  body: NewMenuSource,
  response: SourceAnswer,
})

export const fetchMenuSource = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/menu-source/fetches',
  summary: 'Fetch the menu now, and resume fetching if it was stopped. Idempotent.',
  tag: 'Menus',
  access: 'member',
  params: IdOrSlugParams,
  response: SourceAnswer,
  status: 202,
})

export const deleteMenuSource = endpoint({
  method: 'DELETE',
  path: '/api/businesses/:id/menu-source',
  summary: "Stop fetching a menu and delete its address. The menu isn't deleted. Idempotent.",
  tag: 'Menus',
  access: 'member',
  params: IdOrSlugParams,
})
