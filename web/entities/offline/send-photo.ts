import { beginUpload, sendBytes } from '#contracts/calls/media.ts'
import { uploadChunkBytes } from '#contracts/media.rules.ts'
import { contentTypeOf } from '#web/entities/media/check-file.ts'
import { mediaCalls } from '#web/entities/media/media.api.ts'
import { RefusedFile, uploadFile } from '#web/entities/media/upload-file.ts'
import { call, callBytes } from '#web/lib/call.ts'
import { randomKey } from '#web/lib/random-key.ts'
import { RefusedPhoto, type Sender } from './send-write.ts'

/** Timeout per mebibyte; slower networks count as unreachable. */
const pieceMs = 90_000

/**
 * Uploads a photo in chunks, resuming an interrupted upload.
 * @param account the photo's owner; the server rejects uploads by another account
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
          // The idempotency key is stored with the photo. If the server has forgotten it, the upload starts over.
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
