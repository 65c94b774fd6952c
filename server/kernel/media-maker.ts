import type { PictureSize } from './media-address.ts'

export type ProcessedPicture = {
  /** The size of the largest version in pixels, after rotation. */
  width: number
  height: number
  /** A `data:` URL with fewer than 400 characters. */
  placeholder: string
  /** Narrowest first. Never enlarged, so all may be equal for a small picture. */
  versions: { size: PictureSize; width: number; avif: Uint8Array; webp: Uint8Array }[]
}

export type ProcessedVideo = { width: number; height: number; durationMs: number; extension: 'mp4' | 'webm'; bytes: Uint8Array }

export type ProcessedDocument = {
  /** The size of the first page in points, after rotation. */
  width: number
  height: number
  pageCount: number
  bytes: Uint8Array
}

/** A file that can't be shown here, with a message for the person who sent it. Retrying doesn't help. */
export class MediaRefused extends Error {
  override readonly name = 'MediaRefused'
}

/** Converts uploads into files that can be shown. Runs in other processes, so no file can crash the server. */
export type MediaMaker = {
  /** @throws MediaRefused */
  makePicture(bytes: Buffer): Promise<ProcessedPicture>
  /** @throws MediaRefused */
  makeVideo(bytes: Buffer): Promise<ProcessedVideo>
  /** @throws MediaRefused */
  makeDocument(bytes: Buffer): Promise<ProcessedDocument>
  /** Ends the processes immediately. Waiting work fails with `unavailable`. */
  stop(): Promise<void>
}
