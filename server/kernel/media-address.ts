/** The three widths in which a picture is kept; of a small one, all may be alike. */
export const pictureSizes = ['small', 'medium', 'large'] as const
export type PictureSize = (typeof pictureSizes)[number]

/** Where a ready picture is served: see server/features/media. */
export const pictureUrl = (mediaId: string, size: PictureSize, format: 'avif' | 'webp'): string => `/media/${mediaId}/${size}.${format}`

/** Where a ready PDF is served. */
export const documentUrl = (mediaId: string): string => `/media/${mediaId}/document.pdf`

/** The picture beside a name; null where there is none. */
export const bylinePicture = (mediaId: string | null): string | null => (mediaId === null ? null : pictureUrl(mediaId, 'small', 'webp'))
