import { beginMenuImport, getMenuImport, sendMenuFile } from '#contracts/calls/menu-imports.ts'
import { maxMenuFileBytes } from '#contracts/limits.ts'
import { uploadChunkBytes } from '#contracts/media.rules.ts'
import type { MenuImport } from '#contracts/menu-imports.endpoints.ts'
import { sendChunks } from '#web/entities/media/upload-file.ts'
import { call, callBytes } from '#web/lib/call.ts'

export function menuFileProblem({ name, type, size }: Pick<File, 'name' | 'type' | 'size'>): string | null {
  if (/\.(xls|numbers|ods)$/i.test(name))
    return 'Save the sheet as CSV or .xlsx first: in your spreadsheet app, choose File → Save as (or Export).'
  const isReadable = /\.(csv|tsv|txt|xlsx)$/i.test(name) || type.startsWith('text/')
  if (!isReadable) return 'Choose a CSV or Excel file.'
  if (size === 0) return 'The file is empty.'
  return size > maxMenuFileBytes ? 'A menu file can be up to 10 MB.' : null
}

type Upload = {
  businessId: string
  file: File
  begun?: MenuImport | null
  signal: AbortSignal
  onProgress?: (percent: number) => void
}

/** Returns the import once the server has received the file. */
export async function uploadMenuFile({ businessId, file, begun, signal, onProgress = () => {} }: Upload): Promise<MenuImport> {
  const paramsOf = (importId: string) => ({ id: businessId, importId })
  const percentOf = (received: number) => Math.floor((received / file.size) * 100)
  onProgress(percentOf(begun?.receivedBytes ?? 0))
  const first =
    begun ??
    (await call(
      beginMenuImport,
      { params: { id: businessId }, body: { fileName: file.name.slice(-200), byteSize: file.size } },
      { signal },
    ))
  return sendChunks(first, {
    file,
    send: (id, offset, bytes) => callBytes(sendMenuFile, { params: paramsOf(id), query: { offset } }, bytes, { signal }),
    look: (id) => call(getMenuImport, { params: paramsOf(id) }, { signal }),
    chunkBytes: uploadChunkBytes,
    onProgress: (received) => onProgress(percentOf(received)),
    signal,
  })
}
