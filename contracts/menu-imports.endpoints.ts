import { endpoint } from './endpoint.ts'
import { Id, IdOrSlug, IdOrSlugParams, line, page } from './fields.ts'
import { maxMenuFileBytes } from './limits.ts'
import { MenuFileField, MenuImport } from './menu-imports.ts'
import * as z from './zod.ts'

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
  summary: 'Begin an import of a CSV file: announce its size, then PUT its bytes',
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
