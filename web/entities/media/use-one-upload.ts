import { useEffect, useRef, useState } from 'react'
import { uploadChunkBytes } from '#contracts/media.rules.ts'
import type { Media } from '#contracts/media.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { randomKey } from '#web/lib/random-key.ts'
import { documentProblem } from './check-file.ts'
import { mediaCalls } from './media.api.ts'
import { RefusedFile, uploadFile } from './upload-file.ts'

type UploadStatus =
  | { status: 'none' }
  | { status: 'sending'; name: string; percent: number }
  | { status: 'processing'; name: string }
  | { status: 'failed'; name: string; error: string; file: File | null }

type OneUploadOptions = {
  problemOf: (file: File) => string | null
  onReady: (media: Media, name: string) => void
  /** Whether an upload is in progress, so that the form waits. */
  onBusy?: ((isBusy: boolean) => void) | undefined
}

/** Uploads one file at a time; a new one replaces the previous one. */
export function useOneUpload({ problemOf, onReady, onBusy }: OneUploadOptions) {
  const [state, setState] = useState<UploadStatus>({ status: 'none' })
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  async function send(file: File) {
    running.current?.abort()
    const { name } = file
    const problem = problemOf(file)
    if (problem) return setState({ status: 'failed', name, error: problem, file: null })
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    const key = randomKey()
    setState({ status: 'sending', name, percent: 0 })
    onBusy?.(true)
    try {
      const media = await uploadFile({
        file,
        uploadId: null,
        calls: { ...mediaCalls, begin: (begun) => mediaCalls.begin(file, '', key, begun) },
        chunkBytes: uploadChunkBytes,
        onBegun: () => undefined,
        onProgress: (received) => setState({ status: 'sending', name, percent: Math.floor((received / file.size) * 100) }),
        onProcessing: () => setState({ status: 'processing', name }),
        signal,
      })
      setState({ status: 'none' })
      onReady(media, name)
    } catch (error) {
      if (signal.aborted) return
      const isFinal = error instanceof RefusedFile
      setState({ status: 'failed', name, error: isFinal ? error.message : messageOf(error), file: isFinal ? null : file })
    } finally {
      // Another file may have replaced it.
      if (running.current === controller) onBusy?.(false)
    }
  }

  return {
    state,
    send: (file: File) => void send(file),
    cancel: () => {
      running.current?.abort()
      setState({ status: 'none' })
    },
  }
}

export type OneUpload = ReturnType<typeof useOneUpload>

type DocumentUploadOptions = {
  /** ID of the current document; empty if there is none. */
  id: string
  onChange: (id: string) => void
  onBusy?: ((isBusy: boolean) => void) | undefined
  notDocument?: string | undefined
}

/** Uploads a PDF for a field that stores its ID. `own` is the document uploaded here, while the field still has it. */
export function useDocumentUpload({ id, onChange, onBusy, notDocument }: DocumentUploadOptions): {
  upload: OneUpload
  own: { media: Media; name: string } | null
} {
  const [sent, setSent] = useState<{ media: Media; name: string } | null>(null)
  const upload = useOneUpload({
    problemOf: (file) => documentProblem(file, notDocument),
    onBusy,
    onReady: (media, name) => {
      setSent({ media, name })
      onChange(media.id)
    },
  })
  return { upload, own: sent?.media.id === id ? sent : null }
}
