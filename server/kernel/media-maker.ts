import type { PictureSize } from './media-address.ts'

export type MadePicture = {
  /** Of the largest version, upright. */
  width: number
  height: number
  /** A `data:` address of less than 400 characters. */
  placeholder: string
  /** The narrowest first. Never enlarged: of a small picture all may be alike. */
  versions: { size: PictureSize; width: number; avif: Uint8Array; webp: Uint8Array }[]
}

export type MadeVideo = { width: number; height: number; durationMs: number; extension: 'mp4' | 'webm'; bytes: Uint8Array }

export type MadeDocument = {
  /** Of the first page, upright, in points. */
  width: number
  height: number
  pageCount: number
  bytes: Uint8Array
}

/** A file that cannot be shown here, with a sentence for the person who sent it. Sending it again changes nothing. */
export class MediaRefused extends Error {
  override readonly name = 'MediaRefused'
}

/** Makes of what people send what is shown. It happens in other processes: no file can take the server down. */
export type MediaMaker = {
  /** @throws MediaRefused */
  makePicture(bytes: Buffer): Promise<MadePicture>
  /** @throws MediaRefused */
  makeVideo(bytes: Buffer): Promise<MadeVideo>
  /** @throws MediaRefused */
  makeDocument(bytes: Buffer): Promise<MadeDocument>
  /** Ends the processes, whatever they do. What waits fails with `unavailable`. */
  stop(): Promise<void>
}
