import { useEffect, useRef, useState } from 'react'
import { type Media, uploadChunkBytes } from '../../../contracts/media.ts'
import { messageOf } from '../../lib/api-error.ts'
import { randomKey } from '../../lib/random-key.ts'
import { mediaCalls } from './media.api.ts'
import { RefusedFile, uploadFile } from './upload-file.ts'

type UploadStatus =
  | { status: 'none' }
  | { status: 'sending'; name: string; percent: number }
  | { status: 'processing'; name: string }
  | { status: 'failed'; name: string; error: string; file: File | null }

type OneUploadOptions = {
  /** What is wrong with a file before a byte of it is sent. */
  problemOf: (file: File) => string | null
  onReady: (media: Media, name: string) => void
  /** Whether a file is under way: the form has to wait for it. */
  onBusy?: ((isBusy: boolean) => void) | undefined
}

/** Sends one file at a time; another one takes the place of the one before. */
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
      // Another file may have taken its place.
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
