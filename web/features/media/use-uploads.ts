import { useEffect, useState, useSyncExternalStore } from 'react'
import { type Media, uploadChunkBytes } from '../../../contracts/media.ts'
import { mediaCalls } from './media.api.ts'
import { createUploads } from './upload-store.ts'

/** The uploads of one form; they go on when the page is loaded again. `subject` names the form and whose it is. */
export function useUploads(subject: string, attached?: readonly Media[]) {
  const [uploads] = useState(() => createUploads({ subject, attached: attached ?? [], calls: mediaCalls, chunkBytes: uploadChunkBytes }))
  useEffect(() => {
    uploads.open()
    return () => uploads.close()
  }, [uploads])
  return { uploads, state: useSyncExternalStore(uploads.subscribe, uploads.get) }
}
