import { type ReactNode, type Ref, useRef } from 'react'
import { Button } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { Progress } from '#web/ui/progress.tsx'
import type { OneUpload } from './use-one-upload.ts'

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
      <input
        ref={input}
        type="file"
        tabIndex={-1}
        accept={accept}
        aria-label={label}
        className="hidden"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          event.target.value = ''
          if (file) upload.send(file)
        }}
      />
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
      <Progress label={`Upload of ${state.name}`} value={percent} />
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
      <input
        ref={input}
        type="file"
        tabIndex={-1}
        aria-label={label}
        accept={accept}
        multiple={multiple}
        className="hidden"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          // The same file can be chosen again after it was removed.
          event.target.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
      <Button variant="secondary" size="sm" disabled={disabled} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  )
}
