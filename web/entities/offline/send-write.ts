import { beginUpload, uploadChunk } from '#contracts/calls/media.ts'
import type { Call } from '#contracts/endpoint.ts'
import { uploadChunkBytes } from '#contracts/media.rules.ts'
import type { Media } from '#contracts/media.ts'
import { contentTypeOf } from '#web/entities/media/check-file.ts'
import { mediaCalls, RefusedFile, uploadFile } from '#web/entities/media/upload-file.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { call, callBytes } from '#web/lib/call.ts'
import { randomKey } from '#web/lib/random-key.ts'
import {
  type Body,
  bodyOf,
  type Outcome,
  type QueuedPhoto,
  type QueuedWrite,
  type ServerVersion,
  versionOf,
  withBody,
  withVersion,
} from './outbox.ts'

type Update = (change: (write: QueuedWrite) => QueuedWrite) => Promise<void>

export type Sender = {
  /** Has a timeout for dead networks. @throws like `call` in web/lib/call.ts */
  call: (endpoint: Call, input: QueuedWrite['input']) => Promise<unknown>
  /** Resumes an interrupted upload. @throws RefusedPhoto, or like `call` */
  upload: (photo: QueuedPhoto, file: Blob, onBegun: (uploadId: string) => Promise<void>) => Promise<Pick<Media, 'id'>>
  file: (key: string) => Promise<Blob | null>
}

/** The server or the device can't process a photo. The entry is blocked until the person decides. */
export class RefusedPhoto extends Error {
  override readonly name = 'RefusedPhoto'
}

/** Uploads photos first. Network and server errors become outcomes instead of exceptions. */
export async function sendWrite(write: QueuedWrite, update: Update, sender: Sender): Promise<Outcome> {
  try {
    const mediaIds = await uploadPhotos(write, update, sender)
    if (!write.mayHaveArrived) await update((stored) => ({ ...stored, mayHaveArrived: true }))
    return { kind: 'arrived', answer: await sender.call(write.call, withPhotos(write, mediaIds).input) }
  } catch (error) {
    return error instanceof ApiError && error.code === 'conflict' ? inConflict(write, error, sender) : outcomeOf(write, error)
  }
}

/** Appends photo IDs to a list field, or writes one ID to a path in the body ("observations.0.value.mediaId"). */
function withPhotos(write: QueuedWrite, mediaIds: readonly string[]): QueuedWrite {
  if (mediaIds.length === 0) return write
  const path = write.photosInto.split('.')
  const last = path.pop() as string
  if (path.length === 0) return withBody(write, { [last]: [...new Set([...alreadyThere(write), ...mediaIds])] })
  const body = structuredClone(bodyOf(write))
  const part = path.reduce<Body | undefined>((at, key) => at?.[key] as Body | undefined, body)
  if (part) part[last] = mediaIds[0]
  return withBody(write, body)
}

const alreadyThere = (write: QueuedWrite): string[] => (bodyOf(write)[write.photosInto] as string[] | undefined) ?? []

async function uploadPhotos(write: QueuedWrite, update: Update, { file, upload }: Sender): Promise<string[]> {
  const ids: string[] = []
  for (const photo of write.photos) {
    const blob = await file(photo.key)
    if (!blob) throw new RefusedPhoto(`The photo “${photo.name}” is no longer on this device. Add it again, or send the entry without it.`)
    const onBegun = (uploadId: string) =>
      update((stored) => ({ ...stored, photos: stored.photos.map((each) => (each.key === photo.key ? { ...each, uploadId } : each)) }))
    ids.push((await upload(photo, blob, onBegun)).id)
  }
  return ids
}

/** For a version conflict, reads the server's version. Other conflicts only have a message. */
async function inConflict(write: QueuedWrite, refusal: ApiError, { call }: Sender): Promise<Outcome> {
  const refused: Outcome = { kind: 'refused', message: refusal.userMessage, fields: refusal.fields }
  if (!write.thing) return refused
  try {
    const theirs = (await call(write.thing.read, { params: { id: write.thing.id } })) as ServerVersion
    return theirs.version === versionOf(write) ? refused : { kind: 'conflict', message: refusal.userMessage, theirs }
  } catch (error) {
    const outcome = outcomeOf(write, error)
    return outcome.kind === 'refused' ? refused : outcome
  }
}

function outcomeOf(write: QueuedWrite, error: unknown): Outcome {
  if (error instanceof RefusedPhoto) return { kind: 'refused', message: error.message, fields: {} }
  if (!(error instanceof ApiError)) return { kind: 'unreachable' }
  const { status, code, userMessage: message, fields, retryAfterSeconds } = error
  // A captive portal responded, or a proxy in front of a restarting server.
  if (code === null) return { kind: 'unreachable' }
  if (status === 401) return { kind: 'signed out' }
  if (status === 404 && write.call.method === 'DELETE') return { kind: 'arrived', answer: null }
  if (status >= 500 || status === 408 || status === 429) {
    const afterMs = retryAfterSeconds === null ? null : retryAfterSeconds * 1000
    return { kind: 'later', afterMs, message: messageOf(error), isOwnFault: code === 'internal' }
  }
  // Collaborators also get a 404 after the owner stops sharing.
  const gone = status === 404 ? ' It was deleted, or is no longer shared with you. Your entry is still on this device.' : ''
  const lastCopies = code === 'last_copy' ? { lastCopies: Object.keys(fields) } : {}
  return { kind: 'refused', message: message + gone, fields, ...lastCopies }
}

/**
 * Bases a blocked write on the server's version number, so that it overwrites the conflicting change, and applies corrections. Photos are
 * only added and removed, because the write's list is from before the change. If the response to a creation was lost, the resource may
 * exist, so its correction is sent as a change.
 */
export function forceWrite(write: QueuedWrite, corrections: Body = {}): QueuedWrite {
  const given = Object.keys(corrections).length > 0 ? withBody(write, corrections) : write
  if (write.hold?.kind !== 'conflict') return given
  const corrected = withTheirPhotos(given, write.hold.theirs)
  const version = write.hold.theirs.version ?? 0
  if (versionOf(write) !== null) return withVersion(corrected, version)
  const { id, ...said } = bodyOf(corrected)
  if (!write.thing || typeof id !== 'string') return corrected
  return { ...corrected, call: write.thing.change, input: { params: { id }, body: { ...said, version } } }
}

function withTheirPhotos(write: QueuedWrite, { photos }: ServerVersion): QueuedWrite {
  const field = write.photosInto
  const isAboutPhotos = field in bodyOf(write) || (write.photos.length > 0 && !field.includes('.'))
  if (!isAboutPhotos || !Array.isArray(photos)) return write
  const ids = (photos as { id: string }[]).map(({ id }) => id)
  return withBody(write, { [field]: ids.filter((id) => !write.removedPhotos?.includes(id)) })
}

/** In milliseconds. After that, or after `pieceMs` for a chunk of one mebibyte, the server counts as unreachable. */
export const answerMs = 30_000
const pieceMs = 90_000

const within = (ms: number, signal: AbortSignal): AbortSignal => AbortSignal.any([signal, AbortSignal.timeout(ms)])

/**
 * Resumes an interrupted upload.
 *
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
          // Attempts share a key until the upload has begun. If the server no longer has the upload, another begins with a new key.
          begin: (signal) =>
            call(
              beginUpload,
              { body: { contentType: contentTypeOf(file), byteSize: file.size, alt: photo.alt } },
              { idempotencyKey: photo.uploadId === null ? photo.key : randomKey(), signal: within(answerMs, signal), account },
            ),
          send: (id, offset, bytes, signal) =>
            callBytes(uploadChunk, { params: { id }, query: { offset } }, bytes, { signal: within(pieceMs, signal), account }),
          look: (id, signal) => mediaCalls.look(id, within(answerMs, signal)),
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
