import { sql } from 'kysely'

/** The three stored widths of a picture; they may be equal for a small one. */
export const pictureSizes = ['small', 'medium', 'large'] as const
export type PictureSize = (typeof pictureSizes)[number]

/** The URL of a ready picture: see server/features/media. */
export const pictureUrl = (mediaId: string, size: PictureSize, format: 'avif' | 'webp'): string => `/media/${mediaId}/${size}.${format}`

export const documentUrl = (mediaId: string): string => `/media/${mediaId}/document.pdf`

export const bylinePicture = (mediaId: string | null): string | null => (mediaId === null ? null : pictureUrl(mediaId, 'small', 'webp'))

/** SQL: the ID of the picture beside the name of a row of `businesses`: its logo, or else its cover. */
export const businessPictureId = sql<string | null>`coalesce(businesses.logo_id, businesses.image_id)`
