import type { Endpoint } from '../../../contracts/endpoint.ts'
import type { Media } from '../../../contracts/media.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import type { Outcome } from './outbox.ts'
import { type Body, bodyOf, type KeptCall, type QueuedPhoto, type QueuedWrite, type Theirs, versionOf, withBody } from './queued-write.ts'

type Keep = (change: (write: QueuedWrite) => QueuedWrite) => Promise<void>

/** What sending needs of the page; a test brings its own. */
export type Sender = {
  /** Makes a call. Ends by itself after a while: in a basement an answer may never come. @throws as `call` of web/lib/call.ts does */
  call: (endpoint: Endpoint, input: QueuedWrite['input']) => Promise<unknown>
  /** Uploads a photo, or goes on with its upload. @throws RefusedPhoto, and as `call` does */
  upload: (photo: QueuedPhoto, file: Blob, onBegun: (uploadId: string) => Promise<void>) => Promise<Pick<Media, 'id'>>
  file: (key: string) => Promise<Blob | null>
}

/** The server, or the device, cannot use a photo. The entry is held until it is sent without it. */
export class RefusedPhoto extends Error {
  override readonly name = 'RefusedPhoto'
}

/** The declared calls carry schemas; to be made they need these two alone. */
const declared = (call: KeptCall) => call as Endpoint

/** Sends one write with its photos, and says what came of it. Throws nothing that a network or a server can cause. */
export async function sendWrite(write: QueuedWrite, keep: Keep, sender: Sender): Promise<Outcome> {
  try {
    const mediaIds = await uploadPhotos(write, keep, sender)
    return { kind: 'arrived', answer: await sender.call(declared(write.call), withPhotos(write, mediaIds).input) }
  } catch (error) {
    return error instanceof ApiError && error.code === 'conflict' ? inConflict(write, error, sender) : outcomeOf(write, error)
  }
}

/** Photos go to the others of a list, or the one photo to its place inside of the body ("observations.0.value.mediaId"). */
function withPhotos(write: QueuedWrite, mediaIds: readonly string[]): QueuedWrite {
  if (mediaIds.length === 0) return write
  const path = write.photosInto.split('.')
  const last = path.pop() as string
  if (path.length === 0) return withBody(write, { [last]: [...alreadyThere(write), ...mediaIds] })
  const body = structuredClone(bodyOf(write))
  const part = path.reduce<Body | undefined>((at, key) => at?.[key] as Body | undefined, body)
  if (part) part[last] = mediaIds[0]
  return withBody(write, body)
}

const alreadyThere = (write: QueuedWrite): string[] => (bodyOf(write)[write.photosInto] as string[] | undefined) ?? []

async function uploadPhotos(write: QueuedWrite, keep: Keep, { file, upload }: Sender): Promise<string[]> {
  const ids: string[] = []
  for (const photo of write.photos) {
    const blob = await file(photo.key)
    if (!blob) throw new RefusedPhoto(`The photo “${photo.name}” is no longer on this device. Add it again, or send the entry without it.`)
    const onBegun = (uploadId: string) =>
      keep((kept) => ({ ...kept, photos: kept.photos.map((each) => (each.key === photo.key ? { ...each, uploadId } : each)) }))
    ids.push((await upload(photo, blob, onBegun)).id)
  }
  return ids
}

/**
 * What the server calls a conflict is one between two versions only where the thing is another than the one that was changed. The rest of
 * its refusals has one sentence and no other version.
 */
async function inConflict(write: QueuedWrite, refusal: ApiError, { call }: Sender): Promise<Outcome> {
  const refused: Outcome = { kind: 'refused', message: refusal.userMessage, fields: refusal.fields }
  if (!write.thing) return refused
  try {
    const theirs = (await call(declared(write.thing.read), { params: { id: write.thing.id } })) as Theirs
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
  // No sentence of ours: the sign-in page of a café's network, or a proxy in front of a server that starts anew.
  if (code === null) return { kind: 'unreachable' }
  if (status === 401) return { kind: 'signed out' }
  // It is gone, which is what was wanted.
  if (status === 404 && write.call.method === 'DELETE') return { kind: 'arrived', answer: null }
  if (status >= 500 || status === 408 || status === 429) {
    const afterMs = retryAfterSeconds === null ? null : retryAfterSeconds * 1000
    return { kind: 'later', afterMs, message: messageOf(error), isOwnFault: code === 'internal' }
  }
  // Also what the others of a hunt see when its owner has taken the share back.
  const gone = status === 404 ? ' It was deleted, or is no longer shared with you. What you wrote is still on this device.' : ''
  return { kind: 'refused', message: message + gone, fields }
}
