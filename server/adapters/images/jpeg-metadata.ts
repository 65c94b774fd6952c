/** EXIF and XMP, IPTC, and comments. What a decoder needs (JFIF, color profile, Adobe's transform) stays. */
const metadataMarkers = new Set([0xe1, 0xed, 0xfe])

/** The same picture without what says where, when and by whom it was taken; what does not read as a JPEG is left as it is. */
export function withoutJpegMetadata(jpeg: Uint8Array): Uint8Array {
  if (jpeg[0] !== 0xff || jpeg[1] !== 0xd8) return jpeg
  const kept: Uint8Array[] = [jpeg.subarray(0, 2)]
  let at = 2
  // Up to the picture's data, where segments end.
  while (at + 4 <= jpeg.length && jpeg[at] === 0xff && jpeg[at + 1] !== 0xda) {
    const length = 2 + (((jpeg[at + 2] as number) << 8) | (jpeg[at + 3] as number))
    if (length < 4) break
    if (!metadataMarkers.has(jpeg[at + 1] as number)) kept.push(jpeg.subarray(at, at + length))
    at += length
  }
  kept.push(jpeg.subarray(at))
  return Buffer.concat(kept)
}
