import { type ComponentProps, type ReactNode, type Ref, useEffect, useRef, useState } from 'react'
import { uploadChunkBytes } from '#contracts/media.rules.ts'
import type { Media } from '#contracts/media.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { randomKey } from '#web/lib/random-key.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { documentProblem } from './check-file.ts'
import { mediaCalls, RefusedFile, uploadFile } from './upload-file.ts'

type FileInputProps = Pick<ComponentProps<'input'>, 'accept' | 'capture' | 'multiple' | 'ref'> & {
  label: string
  onFiles: (files: [File, ...File[]]) => void
}

/** Hidden: a button next to it opens the browser's file dialog. */
export const FileInput = ({ label, onFiles, ...props }: FileInputProps) => (
  <input
    {...props}
    type="file"
    tabIndex={-1}
    aria-label={label}
    className="hidden"
    onChange={({ target }) => {
      const [first, ...others] = target.files ?? []
      // Lets people choose the same file again after removing it.
      target.value = ''
      if (first) onFiles([first, ...others])
    }}
  />
)

/** An address that shows a file of this device. */
export function useObjectUrl(file: File | null): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!file) return
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => {
      setUrl(null)
      URL.revokeObjectURL(made)
    }
  }, [file])
  return url
}

type FileChoiceProps = {
  upload: OneUpload
  accept: string
  label: string
  onRemove: (() => void) | null
  ref?: Ref<HTMLButtonElement> | undefined
  children: ReactNode
}

export function FileChoice({ upload, accept, label, onRemove, ref, children }: FileChoiceProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Button ref={ref} variant="secondary" size="sm" onClick={() => input.current?.click()}>
          {children}
        </Button>
        {onRemove && (
          <Button variant="quiet" size="sm" onClick={onRemove}>
            Remove
          </Button>
        )}
      </div>
      <UploadStatus upload={upload} />
      <FileInput ref={input} accept={accept} label={label} onFiles={([file]) => upload.send(file)} />
    </>
  )
}

function UploadStatus({ upload: { state, send, cancel } }: { upload: OneUpload }) {
  if (state.status === 'none') return null
  if (state.status === 'failed') {
    const { file } = state
    return (
      <div role="alert" className="grid justify-items-start gap-2">
        <FieldError>{state.error}</FieldError>
        {file && (
          <Button variant="secondary" size="sm" onClick={() => send(file)}>
            Retry
          </Button>
        )}
      </div>
    )
  }
  const percent = state.status === 'sending' ? state.percent : undefined
  return (
    <div className="grid gap-1.5">
      <Progress label={`Uploading ${state.name}`} value={percent} />
      <p className="flex items-center justify-between gap-3 text-muted text-sm">
        <span className="tabular-nums">{percent === undefined ? 'Processing' : `${percent}% uploaded`}</span>
        <Button variant="quiet" size="sm" onClick={cancel}>
          Cancel
        </Button>
      </p>
    </div>
  )
}

type FileButtonProps = {
  label: string
  accept: string
  multiple?: boolean
  disabled: boolean
  onFiles: (files: File[]) => void
  children: ReactNode
}

export function FileButton({ label, accept, multiple = false, disabled, onFiles, children }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <FileInput ref={input} label={label} accept={accept} multiple={multiple} onFiles={onFiles} />
      <Button variant="secondary" size="sm" disabled={disabled} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  )
}

type UploadState =
  | { status: 'none' }
  | { status: 'sending'; name: string; percent: number }
  | { status: 'processing'; name: string }
  | { status: 'failed'; name: string; error: string; file: File | null }

type OneUploadOptions = {
  problemOf: (file: File) => string | null
  onReady: (media: Media, name: string) => void
  onBusy?: ((isBusy: boolean) => void) | undefined
}

export function useOneUpload({ problemOf, onReady, onBusy }: OneUploadOptions) {
  const [state, setState] = useState<UploadState>({ status: 'none' })
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
      // Another upload may have replaced this one.
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

type OneUpload = ReturnType<typeof useOneUpload>

type DocumentUploadOptions = {
  id: string
  onChange: (id: string) => void
  onBusy?: ((isBusy: boolean) => void) | undefined
  notDocument?: string | undefined
}

/** For a field that stores a PDF's ID. `own` is the document uploaded here, as long as the field still has its ID. */
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
