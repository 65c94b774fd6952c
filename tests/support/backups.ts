import { createHash } from 'node:crypto'
import fs from 'node:fs'
import type { Manifest } from '#server/backup/format.ts'
import { type FrameKind, firstLinePattern, frameHead, frameHeadBytes, readFrameHead } from '#server/backup/format.ts'

export type Frame = { kind: FrameKind; content: Buffer }

export function framesOf(file: string): { line: string; frames: Frame[] } {
  const bytes = fs.readFileSync(file)
  const line = firstLinePattern.exec(bytes.toString('latin1', 0, 30))?.[0] ?? ''
  const frames: Frame[] = []
  for (let at = line.length; at < bytes.length; ) {
    const { kind, length } = readFrameHead(bytes.subarray(at, at + frameHeadBytes))
    frames.push({ kind, content: bytes.subarray(at + frameHeadBytes, at + frameHeadBytes + length) })
    at += frameHeadBytes + length
  }
  return { line, frames }
}

/** Writes frames with a matching checksum at the end, so only closer inspection shows that the file was changed. */
export function writeFrames(file: string, line: string, frames: readonly Frame[]): void {
  const before = Buffer.concat([
    Buffer.from(line),
    ...frames.filter(({ kind }) => kind !== 'E').flatMap(({ kind, content }) => [frameHead(kind, content.length), content]),
  ])
  const end = createHash('sha256').update(before).digest()
  fs.writeFileSync(file, Buffer.concat([before, frameHead('E', end.length), end]))
}

/** Frames of each part by name, in order. */
export function partsOf(frames: readonly Frame[]): Map<string, Frame[]> {
  const parts = new Map<string, Frame[]>()
  let part: Frame[] = []
  for (const frame of frames) {
    if (frame.kind === 'P') {
      part = []
      parts.set((JSON.parse(frame.content.toString()) as { name: string }).name, part)
    }
    if (frame.kind !== 'M' && frame.kind !== 'E') part.push(frame)
  }
  return parts
}

export const withManifest = (frames: readonly Frame[], change: (manifest: Manifest) => object): Frame[] =>
  frames.map((frame) =>
    frame.kind === 'M'
      ? { kind: 'M', content: Buffer.from(JSON.stringify(change(JSON.parse(frame.content.toString()) as Manifest))) }
      : frame,
  )
