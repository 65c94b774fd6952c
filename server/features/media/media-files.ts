import { pictureSizes } from '#server/kernel/media-address.ts'

export const documentFile = 'document.pdf'

export const contentTypes: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    pictureSizes.flatMap((size) => [
      [`${size}.avif`, 'image/avif'],
      [`${size}.webp`, 'image/webp'],
    ]),
  ),
  'video.mp4': 'video/mp4',
  'video.webm': 'video/webm',
  [documentFile]: 'application/pdf',
}

export const fileKey = (mediaId: string, file: string): string => `media/${mediaId}/${file}`

export const allFileKeys = (mediaId: string): string[] => Object.keys(contentTypes).map((file) => fileKey(mediaId, file))

/** Includes the end, so that two chunks of different lengths at the same offset don't overwrite each other. */
export const chunkKey = (mediaId: string, start: number, end: number): string => `uploads/${mediaId}/${start}-${end}`
