import type { MenuImport } from '#contracts/menu-imports.ts'
import type { ImportRow } from './imports.queries.ts'

export const toImport = (row: ImportRow): MenuImport => ({
  id: row.id,
  fileName: row.file_name,
  status: row.status,
  byteSize: row.byte_size,
  receivedBytes: row.received_bytes,
  // Only this feature writes it, in this form.
  columns: row.columns as MenuImport['columns'],
  preview: row.preview as MenuImport['preview'],
  error: row.error,
  skipsWrongRows: row.skips_wrong_rows,
  rowsTotal: row.rows_total,
  rowsDone: row.rows_done,
  rowsRefused: row.rows_refused,
  rowErrors: row.row_errors as MenuImport['rowErrors'],
  itemsAdded: row.items_added,
  itemsChanged: row.items_changed,
  canUndo: row.can_undo,
  createdAt: row.created_at.toISOString(),
  finishedAt: row.finished_at?.toISOString() ?? null,
})
