import type { PictureSize } from './media-address.ts'

export type MadePicture = {
  /** The size of the largest version, after rotation. */
  width: number
  height: number
  /** A `data:` URL of fewer than 400 characters. */
  placeholder: string
  /** Narrowest first. Never enlarged, so all may be equal for a small picture. */
  versions: { size: PictureSize; width: number; avif: Uint8Array; webp: Uint8Array }[]
}

export type MadeVideo = { width: number; height: number; durationMs: number; extension: 'mp4' | 'webm'; bytes: Uint8Array }

export type MadeDocument = {
  /** The size of the first page, after rotation, in points. */
  width: number
  height: number
  pageCount: number
  bytes: Uint8Array
}

/** A file that can't be shown here, with a message for the person who sent it. Retrying doesn't help. */
export class MediaRefused extends Error {
  override readonly name = 'MediaRefused'
}

/** Converts uploads into what is shown. Runs in other processes, so that no file can crash the server. */
export type MediaMaker = {
  /** @throws MediaRefused */
  makePicture(bytes: Buffer): Promise<MadePicture>
  /** @throws MediaRefused */
  makeVideo(bytes: Buffer): Promise<MadeVideo>
  /** @throws MediaRefused */
  makeDocument(bytes: Buffer): Promise<MadeDocument>
  /** Ends the processes immediately. Waiting work fails with `unavailable`. */
  stop(): Promise<void>
}
