import { useEffect, useState, useSyncExternalStore } from 'react'
import { type Media, uploadChunkBytes } from '../../../contracts/media.ts'
import { maxMessagePhotos } from '../../../contracts/message-rules.ts'
import { kindOf } from '../media/check-file.ts'
import { mediaCalls } from '../media/media.api.ts'
import { createUploads } from '../media/upload-store.ts'

/** The photos of the message that is being written. They are on their way while one still writes, and survive a reload. */
export function useMessagePhotos(subject: string) {
  const make = () => createUploads({ subject, calls: mediaCalls, chunkBytes: uploadChunkBytes })
  const [uploads, setUploads] = useState(make)
  const [notice, setNotice] = useState<string | null>(null)
  useEffect(() => {
    uploads.open()
    return () => uploads.close()
  }, [uploads])
  const state = useSyncExternalStore(uploads.subscribe, uploads.get)
  return {
    uploads,
    items: state.items,
    notice,
    add(files: readonly File[]) {
      const photos = files.filter((file) => kindOf(file) === 'image')
      const room = Math.max(0, maxMessagePhotos - state.items.length)
      uploads.add(photos.slice(0, room))
      setNotice(
        photos.length > room
          ? `At most ${maxMessagePhotos} photos in one message`
          : photos.length < files.length
            ? 'Only photos can be sent in a message'
            : null,
      )
    },
    /** Waits until all have arrived. @returns them in their order; null when one of them did not. @throws as `settle` does */
    async ready(): Promise<Media[] | null> {
      if ((await uploads.settle()) === null) return null
      return uploads.get().items.flatMap(({ media, alt }) => (media ? [{ ...media, alt }] : []))
    },
    /** The message has them: the next one begins without. */
    finish() {
      uploads.finish()
      setNotice(null)
      setUploads(make)
    },
  }
}

export type MessagePhotos = ReturnType<typeof useMessagePhotos>
