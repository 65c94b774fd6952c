import { FileCheck2, FileUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { fileRefusals, type Media, maxDocumentBytes } from '../../../contracts/media.ts'
import { Button } from '../../ui/button.tsx'
import { FieldGroup } from '../../ui/field.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { UploadState } from './upload-state.tsx'
import { useOneUpload } from './use-one-upload.ts'

type CertificateFieldProps = {
  /** Empty: none. */
  id: string
  /** Where the saved one can be read. */
  url: string | null
  onChange: (id: string) => void
  onBusy: (isBusy: boolean) => void
}

function problemOf({ name, type, size }: File): string | null {
  if (type !== 'application/pdf' && !/\.pdf$/i.test(name)) return 'A lab certificate is a PDF file.'
  if (size === 0) return fileRefusals.empty
  return size > maxDocumentBytes ? fileRefusals.large.document : null
}

/** The lab's certificate of analysis: shoppers can open it from the menu. */
export function CertificateField({ id, url, onChange, onBusy }: CertificateFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [sent, setSent] = useState<{ media: Media; name: string } | null>(null)
  const upload = useOneUpload({
    problemOf,
    onBusy,
    onReady: (media, name) => {
      setSent({ media, name })
      onChange(media.id)
    },
  })
  const own = sent?.media.id === id ? sent : null
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
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" size="sm" onClick={() => input.current?.click()}>
            <FileUp aria-hidden="true" />
            {id ? 'Change' : 'Add a PDF'}
          </Button>
          {id && (
            <Button variant="quiet" size="sm" onClick={() => onChange('')}>
              Remove
            </Button>
          )}
        </div>
        <UploadState state={upload.state} onRetry={upload.send} onCancel={upload.cancel} />
        {!id && upload.state.status === 'none' && (
          <p className="text-muted text-sm">The lab’s analysis; shoppers can open it from the menu.</p>
        )}
      </div>
      <input
        ref={input}
        type="file"
        tabIndex={-1}
        accept="application/pdf,.pdf"
        aria-label="Lab certificate"
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
