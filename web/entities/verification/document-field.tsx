import { FileText, FileUp } from 'lucide-react'
import type { Ref } from 'react'
import { acceptedDocuments } from '#web/entities/media/check-file.ts'
import { FileChoice, useDocumentUpload } from '#web/entities/media/file-choice.tsx'
import { counted } from '#web/lib/format.ts'
import { FieldGroup } from '#web/ui/field.tsx'

type DocumentFieldProps = {
  legend?: string
  hint?: string
  id: string
  onChange: (id: string) => void
  /** Submitting during an upload would leave out the file. */
  onBusy?: (isBusy: boolean) => void
  error: string | undefined
  ref: Ref<HTMLButtonElement>
}

const licenseLegend = 'The license as a PDF'
const licenseHint = 'Only needed if the register doesn’t match. Two members of our team will review it.'

export function DocumentField({ legend = licenseLegend, hint = licenseHint, id, onChange, onBusy, error, ref }: DocumentFieldProps) {
  const { upload, own } = useDocumentUpload({ id, onChange, onBusy })
  const pages = own?.media.pageCount
  return (
    <FieldGroup legend={legend} hint={hint} error={error}>
      <div className="grid gap-2.5">
        {id && (
          <p className="flex items-center gap-2 text-sm">
            <FileText aria-hidden="true" className="size-4.5 shrink-0 text-leaf" />
            <span className="min-w-0 truncate">{own?.name ?? 'Your PDF'}</span>
            {pages && <span className="shrink-0 text-muted">{counted(pages, 'page')}</span>}
          </p>
        )}
        <FileChoice ref={ref} upload={upload} accept={acceptedDocuments} label={legend} onRemove={id ? () => onChange('') : null}>
          <FileUp aria-hidden="true" />
          {id ? 'Choose another' : 'Add a PDF'}
        </FileChoice>
      </div>
    </FieldGroup>
  )
}
