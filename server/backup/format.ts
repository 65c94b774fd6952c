import { BackupRefused } from './refusal.ts'

/**
 * A backup is one file: a first line, then frames, each of a letter, the length of its content (four bytes, big-endian) and the
 * content.
 *
 *     P  a part begins: JSON { name, isCompressed }
 *     D  bytes of the part, compressed by Zstandard where it says so
 *     F  the part is finished: JSON { sha256, bytes } of what it was before it was compressed
 *     M  the manifest: JSON, see manifest.ts
 *     E  the end: the SHA-256 of everything before this frame. Nothing follows.
 */
export const formatVersion = 1
export const firstLine = (version: number = formatVersion): string => `sungrove-backup ${version}\n`

/** What a file of any version begins with. */
export const firstLinePattern = /^sungrove-backup (\d{1,6})\n/
export const longestFirstLine = firstLine(999_999).length

export type FrameKind = 'P' | 'D' | 'F' | 'M' | 'E'
export type PartHead = { name: string; isCompressed: boolean }
export type PartEnd = { sha256: string; bytes: number }

export const frameHeadBytes = 5
/** Bytes of a part come in frames far smaller than this; the manifest of a thousand tables is too. */
const longestFrame = 8 * 1024 * 1024

export function frameHead(kind: FrameKind, length: number): Buffer {
  const head = Buffer.alloc(frameHeadBytes)
  head.write(kind, 0, 'latin1')
  head.writeUInt32BE(length, 1)
  return head
}

/** @throws BackupRefused where no frame begins */
export function readFrameHead(head: Buffer): { kind: FrameKind; length: number } {
  const kind = head.toString('latin1', 0, 1)
  const length = head.readUInt32BE(1)
  if (!'PDFME'.includes(kind) || length > longestFrame) throw new BackupRefused('The backup is damaged: it holds what is no part of one.')
  return { kind: kind as FrameKind, length }
}
