import { Id } from './fields.ts'
import { menuFieldKeys } from './menu-fields.ts'
import * as z from './zod.ts'

export const MenuFileField = z.enum(menuFieldKeys)

/**
 * - `receiving`: incomplete; continue from `receivedBytes`
 * - `ready`: parsed; columns can be mapped and the import started
 * - `running`: progress is `rowsDone` of `rowsTotal`
 * - `done`, `failed` (nothing was changed), `undone`
 */
export const MenuImportStatus = z.enum(['receiving', 'ready', 'running', 'done', 'failed', 'undone'])

export const MenuImport = z.object({
  id: Id,
  fileName: z.string(),
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
      /** Items are matched by SKU, or by name, brand and weight; unmatched rows add an item. */
      effect: z.enum(['add', 'change', 'same', 'refused']),
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
  canUndo: z.boolean(),
  createdAt: z.iso.datetime(),
  finishedAt: z.nullable(z.iso.datetime()),
})
export type MenuImport = z.infer<typeof MenuImport>
