import { endpoint } from './endpoint.ts'
import { Id, IdOrSlug, IdOrSlugParams, line, page } from './fields.ts'
import { maxMenuFileBytes } from './limits.ts'
import { menuFieldKeys } from './menu-fields.ts'
import * as z from './zod.ts'

const MenuFileField = z.enum(menuFieldKeys)

/**
 * - `receiving`: incomplete; continue from `receivedBytes`
 * - `ready`: parsed; columns can be mapped and the import started
 * - `running`: progress is `rowsDone` of `rowsTotal`
 * - `done`, `failed` (nothing was changed), `undone`
 */
const MenuImportStatus = z.enum(['receiving', 'ready', 'running', 'done', 'failed', 'undone'])

export const MenuImport = z.object({
  id: Id,
  fileName: z.string(),
  /** A file, or what a point of sale sent: the complete menu, some items, or items to remove. */
  kind: z.enum(['file', 'full_sync', 'update', 'removal']),
  /** The API key that sent it. */
  keyName: z.nullable(z.string()),
  status: MenuImportStatus,
  byteSize: z.int(),
  receivedBytes: z.int(),
  /** The file's columns in order with the field each maps to (null: skipped). */
  columns: z.array(z.object({ name: z.string(), field: z.nullable(MenuFileField), examples: z.array(z.string()) })),
  /** The first rows as they would be stored, with their errors. */
  preview: z.array(
    z.object({
      row: z.int(),
      values: z.partialRecord(MenuFileField, z.string()),
      errors: z.array(z.object({ field: z.nullable(MenuFileField), message: z.string() })),
      /**
       * A row is a variant. Variants are matched by SKU, or by weight within the item of that name and brand. Rows without a match add a
       * variant to an item of the menu or of an earlier row (`add_variant`), or an item (`add`).
       */
      effect: z.enum(['add', 'add_variant', 'change', 'same', 'refused']),
    }),
  ),
  error: z.nullable(z.string()),
  /** Whether rows with errors are skipped; otherwise a single one stops the import. */
  skipsWrongRows: z.boolean(),
  rowsTotal: z.int(),
  rowsDone: z.int(),
  rowsRefused: z.int(),
  /** At most the first 100 errors of the whole file, available once the mapping has been checked. */
  rowErrors: z.array(z.object({ row: z.int(), field: z.nullable(MenuFileField), message: z.string() })),
  itemsAdded: z.int(),
  itemsChanged: z.int(),
  itemsMissing: z.int(),
  itemsRemoved: z.int(),
  canUndo: z.boolean(),
  createdAt: z.iso.datetime(),
  finishedAt: z.nullable(z.iso.datetime()),
})
export type MenuImport = z.infer<typeof MenuImport>

const ImportParams = z.object({ id: IdOrSlug, importId: Id })

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
    fileName: line(200, 'Name the file'),
    byteSize: z.int().check(z.minimum(1, 'The file is empty'), z.maximum(maxMenuFileBytes, 'A menu file can be up to 16 MB')),
  }),
  response: MenuImport,
  status: 201,
})

export const sendMenuFile = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/menu-imports/:importId/bytes',
  summary: 'Upload the bytes of a menu file from `offset` on, in order, at most 1 MiB at a time. Idempotent.',
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
  summary: 'Map the columns; returns the preview and every error of the file',
  tag: 'Menus',
  access: 'member',
  params: ImportParams,
  body: z.object({
    /** In the order of the file's columns. */
    fields: z.array(z.nullable(MenuFileField)).check(z.maxLength(200)),
    skipsWrongRows: z._default(z.boolean(), false),
  }),
  response: MenuImport,
})

export const startMenuImport = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/menu-imports/:importId/start',
  summary: 'Import the file, all of it or nothing. Idempotent.',
  tag: 'Menus',
  access: 'member',
  words: 'published',
  params: ImportParams,
  response: MenuImport,
})

export const undoMenuImport = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/menu-imports/:importId/undo',
  summary: 'Undo an import; 409 if items were changed by hand since, unless `anyway` is set',
  tag: 'Menus',
  access: 'member',
  params: ImportParams,
  body: z.object({ anyway: z._default(z.boolean(), false) }),
  response: MenuImport,
})
