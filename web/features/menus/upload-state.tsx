import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field.tsx'
import { Progress } from '../../ui/progress.tsx'
import type { OneUpload } from './use-one-upload.ts'

type UploadStateProps = { state: OneUpload; onRetry: (file: File) => void; onCancel: () => void }

/** How far a file is, or what went wrong with it. */
export function UploadState({ state, onRetry, onCancel }: UploadStateProps) {
  if (state.status === 'none') return null
  if (state.status === 'failed') {
    const { file } = state
    return (
      <div role="alert" className="grid justify-items-start gap-2">
        <FieldError>{state.error}</FieldError>
        {file && (
          <Button variant="secondary" size="sm" onClick={() => onRetry(file)}>
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
        <span className="tabular-nums">{percent === undefined ? 'Getting it ready' : `${percent} % sent`}</span>
        <Button variant="quiet" size="sm" onClick={onCancel}>
          Cancel
        </Button>
      </p>
    </div>
  )
}
