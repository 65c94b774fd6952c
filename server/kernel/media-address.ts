import { sql } from 'kysely'

/** The three stored widths of a picture, which may be equal if it is small. */
export const pictureSizes = ['small', 'medium', 'large'] as const
export type PictureSize = (typeof pictureSizes)[number]

/** The URL of a ready picture: see server/features/media. */
export const pictureUrl = (mediaId: string, size: PictureSize, format: 'avif' | 'webp'): string => `/media/${mediaId}/${size}.${format}`

export const documentUrl = (mediaId: string): string => `/media/${mediaId}/document.pdf`

export const bylinePicture = (mediaId: string | null): string | null => (mediaId === null ? null : pictureUrl(mediaId, 'small', 'webp'))

/** SQL for the ID of the picture beside a business's name: its logo, or its cover if it has no logo. */
export const businessPictureId = sql<string | null>`coalesce(businesses.logo_id, businesses.image_id)`
