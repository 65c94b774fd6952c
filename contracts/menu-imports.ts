import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, IdOrSlug, IdOrSlugParams } from './ids.ts'
import { page } from './pagination.ts'
import { line } from './text.ts'

export const maxMenuFileBytes = 16 * 1024 * 1024
export const maxMenuRows = 50_000

/** What a column of a menu file can be. */
export const menuFileFields = [
  'sku',
  'name',
  'category',
  'strain',
  'brand',
  'price',
  'memberPrice',
  'description',
  'thc',
  'cbd',
  'potencyUnit',
  'weight',
  'weightUnit',
  'batch',
  'isAvailable',
] as const
export const MenuFileField = z.enum(menuFileFields)
export type MenuFileField = z.infer<typeof MenuFileField>

/**
 * - `receiving`: bytes are missing; go on from `receivedBytes`
 * - `ready`: read; columns may be mapped, and it may be started
 * - `running`: see `rowsDone` of `rowsTotal`
 * - `done`, `failed` (nothing was changed), `undone`
 */
export const MenuImportStatus = z.enum(['receiving', 'ready', 'running', 'done', 'failed', 'undone'])

export const MenuImport = z.object({
  id: Id,
  fileName: z.string(),
  status: MenuImportStatus,
  byteSize: z.int(),
  receivedBytes: z.int(),
  /** The file's own column names, in its order; and what each is taken for (null: left out). */
  columns: z.array(z.object({ name: z.string(), field: z.nullable(MenuFileField), examples: z.array(z.string()) })),
  /** The first rows as they would be stored, with what is wrong in them. */
  preview: z.array(
    z.object({
      row: z.int(),
      values: z.partialRecord(MenuFileField, z.string()),
      errors: z.array(z.object({ field: z.nullable(MenuFileField), message: z.string() })),
      /** An item with the same SKU, or the same name, brand and weight, is changed; otherwise one is added. */
      effect: z.enum(['add', 'change', 'same', 'refused']),
    }),
  ),
  /** Why the whole file cannot be read; null otherwise. */
  error: z.nullable(z.string()),
  /** Whether rows with errors are left out; otherwise one wrong row stops the import. */
  skipsWrongRows: z.boolean(),
  rowsTotal: z.int(),
  rowsDone: z.int(),
  rowsRefused: z.int(),
  /** Of the whole file once the mapping was checked, at most the first 100. */
  rowErrors: z.array(z.object({ row: z.int(), field: z.nullable(MenuFileField), message: z.string() })),
  itemsAdded: z.int(),
  itemsChanged: z.int(),
  canUndo: z.boolean(),
  createdAt: z.iso.datetime(),
  finishedAt: z.nullable(z.iso.datetime()),
})
export type MenuImport = z.infer<typeof MenuImport>

const ImportParams = z.object({ id: IdOrSlug, importId: Id })

export const listMenuImports = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/menu-imports',
  summary: 'Imports of a menu, newest first',
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
  summary: 'Begin an import of a CSV file: say how large it is, then PUT its bytes',
  tag: 'Menus',
  access: 'member',
  words: 'draft',
  idempotent: true,
  params: IdOrSlugParams,
  body: z.object({
    fileName: line(200, 'Name the file'),
    byteSize: z.int().check(z.minimum(1, 'The file is empty'), z.maximum(maxMenuFileBytes, 'A menu file can have at most 16 MB')),
  }),
  response: MenuImport,
  status: 201,
})

export const sendMenuFile = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/menu-imports/:importId/bytes',
  summary: 'The bytes of a menu file from `offset` on, at most 1 MiB at a time, in order; sending the same again changes nothing',
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
  summary: 'One import: its columns and preview, its progress, what it changed',
  tag: 'Menus',
  access: 'member',
  params: ImportParams,
  response: MenuImport,
})

export const mapMenuColumns = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/menu-imports/:importId/mapping',
  summary: 'Say what each column is; answers the preview and every error of the file',
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
  summary: 'Import the file, all of it or nothing; starting it again changes nothing',
  tag: 'Menus',
  access: 'member',
  words: 'published',
  params: ImportParams,
  response: MenuImport,
})

export const undoMenuImport = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/menu-imports/:importId/undo',
  summary: 'Put the menu back as it was before the import; 409 when items were changed by hand since and `anyway` is not set',
  tag: 'Menus',
  access: 'member',
  params: ImportParams,
  body: z.object({ anyway: z._default(z.boolean(), false) }),
  response: MenuImport,
})
