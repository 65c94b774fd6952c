import { FileText, FileUp } from 'lucide-react'
import { type Ref, useRef, useState } from 'react'
import { fileRefusals, type Media, maxDocumentBytes } from '../../../contracts/media.ts'
import { Button } from '../../ui/button.tsx'
import { FieldGroup } from '../../ui/field.tsx'
import { UploadState } from '../menus/upload-state.tsx'
import { useOneUpload } from '../menus/use-one-upload.ts'

type DocumentFieldProps = {
  legend?: string
  hint?: string
  /** Empty: none. */
  id: string
  onChange: (id: string) => void
  /** Whether a file is under way: a form that is sent now would go without it. */
  onBusy?: (isBusy: boolean) => void
  error: string | undefined
  /** The button, for the form to put the focus on. */
  ref: Ref<HTMLButtonElement>
}

export function documentProblem({ name, type, size }: Pick<File, 'name' | 'type' | 'size'>): string | null {
  if (type !== 'application/pdf' && !/\.pdf$/i.test(name)) return fileRefusals.notDocument
  if (size === 0) return fileRefusals.empty
  return size > maxDocumentBytes ? fileRefusals.large.document : null
}

const licenseLegend = 'The license as a PDF'
const licenseHint = 'Needed only when the register does not say the same. Two of us look at it, and nobody else.'

/** The license itself, or another proof, as a PDF: for those who decide alone. */
export function DocumentField({ legend = licenseLegend, hint = licenseHint, id, onChange, onBusy, error, ref }: DocumentFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [sent, setSent] = useState<{ media: Media; name: string } | null>(null)
  const upload = useOneUpload({
    problemOf: documentProblem,
    ...(onBusy && { onBusy }),
    onReady: (media, name) => {
      setSent({ media, name })
      onChange(media.id)
    },
  })
  const own = sent?.media.id === id ? sent : null
  const pages = own?.media.pageCount
  return (
    <FieldGroup legend={legend} hint={hint} error={error}>
      <div className="grid gap-2.5">
        {id && (
          <p className="flex items-center gap-2 text-sm">
            <FileText aria-hidden="true" className="size-4.5 shrink-0 text-leaf" />
            <span className="min-w-0 truncate">{own?.name ?? 'Your PDF'}</span>
            {pages && <span className="shrink-0 text-muted">{pages === 1 ? '1 page' : `${pages} pages`}</span>}
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <Button ref={ref} variant="secondary" size="sm" onClick={() => input.current?.click()}>
            <FileUp aria-hidden="true" />
            {id ? 'Choose another' : 'Add a PDF'}
          </Button>
          {id && (
            <Button variant="quiet" size="sm" onClick={() => onChange('')}>
              Remove
            </Button>
          )}
        </div>
        <UploadState state={upload.state} onRetry={upload.send} onCancel={upload.cancel} />
      </div>
      <input
        ref={input}
        type="file"
        tabIndex={-1}
        accept="application/pdf,.pdf"
        aria-label={legend}
        className="hidden"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          event.target.value = ''
          if (file) upload.send(file)
        }}
      />
    </FieldGroup>
  )
}
