import { useState } from 'react'
import type { Media } from '../../../contracts/media.ts'
import { documentProblem } from './check-file.ts'
import { type OneUpload, useOneUpload } from './use-one-upload.ts'

type DocumentUploadOptions = {
  /** The document of the field now; empty: none. */
  id: string
  onChange: (id: string) => void
  onBusy?: ((isBusy: boolean) => void) | undefined
  /** What to say of a file that is no PDF. */
  notDocument?: string | undefined
}

/** Sends a PDF for a field that keeps its id. `own` is the one that was sent from here, as long as it is the field's. */
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
