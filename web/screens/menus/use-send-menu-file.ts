import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { beginMenuImport, getMenuImport, sendMenuFile } from '#contracts/calls/menu-imports.ts'
import { maxMenuFileBytes } from '#contracts/limits.ts'
import { uploadChunkBytes } from '#contracts/media.rules.ts'
import type { MenuImport } from '#contracts/menu-imports.endpoints.ts'
import { sendPieces } from '#web/entities/media/upload-file.ts'
import { cacheImport } from '#web/entities/menus/menus.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call, callBytes } from '#web/lib/call.ts'

/** Client-side check of a file. */
export function menuFileProblem({ name, type, size }: Pick<File, 'name' | 'type' | 'size'>): string | null {
  if (/\.(xlsx?|numbers|ods)$/i.test(name)) return 'Save the sheet as CSV first: in the spreadsheet, File → Save as (or Export) → CSV.'
  const isText = /\.(csv|tsv|txt)$/i.test(name) || type.startsWith('text/')
  if (!isText) return 'Choose a CSV file.'
  if (size === 0) return 'The file is empty'
  return size > maxMenuFileBytes ? 'A menu file can have at most 16 MB.' : null
}

type Sending = { name: string; percent: number }

export function useSendMenuFile(businessId: string, onBegun: (importId: string) => void) {
  const client = useQueryClient()
  const [sending, setSending] = useState<Sending | null>(null)
  const [error, setError] = useState<{ message: string; file: File | null } | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  async function send(file: File, begun: MenuImport | null) {
    const problem = menuFileProblem(file)
    if (problem) return setError({ message: problem, file: null })
    if (begun && begun.byteSize !== file.size) {
      return setError({ message: `This is a different file. Choose “${begun.fileName}” again, or start over.`, file: null })
    }
    setError(null)
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    const paramsOf = (importId: string) => ({ id: businessId, importId })
    const percentOf = (received: number) => Math.floor((received / file.size) * 100)
    setSending({ name: file.name, percent: percentOf(begun?.receivedBytes ?? 0) })
    try {
      const first =
        begun ??
        (await call(
          beginMenuImport,
          { params: { id: businessId }, body: { fileName: file.name.slice(-200), byteSize: file.size } },
          { signal },
        ))
      const done = await sendPieces(first, {
        file,
        send: (id, offset, bytes) => callBytes(sendMenuFile, { params: paramsOf(id), query: { offset } }, bytes, { signal }),
        look: (id) => call(getMenuImport, { params: paramsOf(id) }, { signal }),
        chunkBytes: uploadChunkBytes,
        onProgress: (received) => setSending({ name: file.name, percent: percentOf(received) }),
        signal,
      })
      cacheImport(client, businessId, done)
      setSending(null)
      onBegun(done.id)
    } catch (caught) {
      if (signal.aborted) return
      setSending(null)
      setError({ message: messageOf(caught), file })
    }
  }

  return {
    sending,
    error,
    send: (file: File, begun: MenuImport | null = null) => void send(file, begun),
    cancel: () => {
      running.current?.abort()
      setSending(null)
    },
  }
}
