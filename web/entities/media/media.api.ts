import { beginUpload, describeMedia, getUpload, removeUpload, sendBytes } from '#contracts/calls/media.ts'
import type { Upload } from '#contracts/media.ts'
import { call, callBytes } from '#web/lib/call.ts'
import { contentTypeOf } from './check-file.ts'
import type { UploadCalls } from './upload-file.ts'

export type MediaCalls = Omit<UploadCalls, 'begin'> & {
  /** @param key idempotency key per attempt, so that a lost response doesn't start a second upload */
  begin: (file: File, alt: string, key: string, signal: AbortSignal) => Promise<Upload>
  describe: (id: string, alt: string) => Promise<unknown>
  remove: (id: string) => Promise<unknown>
}

export const mediaCalls: MediaCalls = {
  begin: (file, alt, key, signal) =>
    call(beginUpload, { body: { contentType: contentTypeOf(file), byteSize: file.size, alt } }, { idempotencyKey: key, signal }),
  send: (id, offset, bytes, signal) => callBytes(sendBytes, { params: { id }, query: { offset } }, bytes, { signal }),
  look: (id, signal) => call(getUpload, { params: { id } }, { signal }),
  describe: (id, alt) => call(describeMedia, { params: { id }, body: { alt } }),
  remove: (id) => call(removeUpload, { params: { id } }),
}
