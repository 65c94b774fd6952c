import { beginUpload, sendBytes, uploadChunkBytes } from '../../../contracts/media.ts'
import { call, callBytes } from '../../lib/call.ts'
import { randomKey } from '../../lib/random-key.ts'
import { contentTypeOf } from '../media/check-file.ts'
import { mediaCalls } from '../media/media.api.ts'
import { RefusedFile, uploadFile } from '../media/upload-file.ts'
import { RefusedPhoto, type Sender } from './send-write.ts'

/** A mebibyte that takes longer than this is on a network through which nothing comes. */
const pieceMs = 90_000

/**
 * Uploads a photo in pieces, or goes on where an upload of it broke off.
 * @param account whose photo it is: the server takes it from nobody who has signed in since
 */
export const sendPhoto =
  (account: string): Sender['upload'] =>
  async (photo, blob, onBegun) => {
    const file = new File([blob], photo.name, { type: photo.type })
    let begun: Promise<void> = Promise.resolve()
    try {
      const media = await uploadFile({
        file,
        uploadId: photo.uploadId,
        calls: {
          // The key of a first beginning is kept with the photo. One that the server has since forgotten begins anew.
          begin: (signal) =>
            call(
              beginUpload,
              { body: { contentType: contentTypeOf(file), byteSize: file.size, alt: photo.alt } },
              { idempotencyKey: photo.uploadId === null ? photo.key : randomKey(), signal, account },
            ),
          send: (id, offset, bytes, signal) =>
            callBytes(sendBytes, { params: { id }, query: { offset } }, bytes, {
              signal: AbortSignal.any([signal, AbortSignal.timeout(pieceMs)]),
              account,
            }),
          look: mediaCalls.look,
        },
        chunkBytes: uploadChunkBytes,
        onBegun: (id) => {
          if (id !== photo.uploadId) begun = onBegun(id)
        },
        onProgress: () => {},
        onProcessing: () => {},
        signal: new AbortController().signal,
      })
      await begun
      return media
    } catch (error) {
      if (error instanceof RefusedFile) throw new RefusedPhoto(`“${photo.name}”: ${error.message}`)
      throw error
    }
  }
