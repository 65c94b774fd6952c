import { FileText, FileUp } from 'lucide-react'
import type { Ref } from 'react'
import { FieldGroup } from '../../ui/field.tsx'
import { acceptedDocuments } from '../media/check-file.ts'
import { FileChoice } from '../media/file-choice.tsx'
import { useDocumentUpload } from '../media/use-document-upload.ts'

type DocumentFieldProps = {
  legend?: string
  hint?: string
  /** Empty: none. */
  id: string
  onChange: (id: string) => void
  /** Whether a file is still uploading: a form that is sent now would go without it. */
  onBusy?: (isBusy: boolean) => void
  error: string | undefined
  /** The button, for the form to put the focus on. */
  ref: Ref<HTMLButtonElement>
}

const licenseLegend = 'The license as a PDF'
const licenseHint = "Only needed if the register doesn't match. Two members of our team will review it."

/** The license itself, or another proof, as a PDF that only the reviewers see. */
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
            {pages && <span className="shrink-0 text-muted">{pages === 1 ? '1 page' : `${pages} pages`}</span>}
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
