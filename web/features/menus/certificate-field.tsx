import { FileCheck2, FileUp } from 'lucide-react'
import { FieldGroup } from '../../ui/field.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { acceptedDocuments } from '../media/check-file.ts'
import { FileChoice } from '../media/file-choice.tsx'
import { useDocumentUpload } from '../media/use-document-upload.ts'

type CertificateFieldProps = {
  /** Empty: none. */
  id: string
  /** Where the saved one can be read. */
  url: string | null
  onChange: (id: string) => void
  onBusy: (isBusy: boolean) => void
}

const notDocument = 'A lab certificate is a PDF file.'

/** The lab's certificate of analysis: shoppers can open it from the menu. */
export function CertificateField({ id, url, onChange, onBusy }: CertificateFieldProps) {
  const { upload, own } = useDocumentUpload({ id, onChange, onBusy, notDocument })
  const address = own ? own.media.documentUrl : url
  return (
    <FieldGroup legend="Lab certificate">
      <div className="grid gap-2">
        {id && (
          <p className="flex items-center gap-2 text-sm">
            <FileCheck2 aria-hidden="true" className="size-4.5 shrink-0 text-leaf" />
            {address ? (
              <a href={address} target="_blank" rel="noopener" className={`${textLink} min-w-0 truncate`}>
                {own?.name ?? 'Certificate (PDF)'}
              </a>
            ) : (
              'Certificate (PDF)'
            )}
          </p>
        )}
        <FileChoice upload={upload} accept={acceptedDocuments} label="Lab certificate" onRemove={id ? () => onChange('') : null}>
          <FileUp aria-hidden="true" />
          {id ? 'Change' : 'Add a PDF'}
        </FileChoice>
        {!id && upload.state.status === 'none' && (
          <p className="text-muted text-sm">The lab’s analysis; shoppers can open it from the menu.</p>
        )}
      </div>
    </FieldGroup>
  )
}
