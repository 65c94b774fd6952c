/** Boxes that hold others, on the way to those that hold times. */
const containers = new Set(['moov', 'trak', 'mdia'])
const timed = new Set(['mvhd', 'tkhd', 'mdhd'])

/** Sets the times of making and changing in an MP4 file to "not known", in place. */
export function withoutTimes(file: Buffer): Buffer {
  eachBox(file, 0, file.length)
  return file
}

function eachBox(file: Buffer, from: number, to: number): void {
  for (let at = from; at + 8 <= to; ) {
    const size = file.readUInt32BE(at)
    const isLong = size === 1
    const length = isLong && at + 16 <= to ? Number(file.readBigUInt64BE(at + 8)) : size === 0 ? to - at : size
    const type = file.toString('latin1', at + 4, at + 8)
    if (length < 8 || at + length > to) return
    const content = at + (isLong ? 16 : 8)
    if (containers.has(type)) eachBox(file, content, at + length)
    // Version and flags, then two times of 32 bits, or of 64 in version 1.
    else if (timed.has(type)) file.fill(0, content + 4, content + 4 + (file[content] === 1 ? 16 : 8))
    at += length
  }
}
