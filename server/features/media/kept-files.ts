import type { Media } from '../../../contracts/media.ts'
import { pictureSizes } from '../../kernel/media-address.ts'
import { documentFile, fileKey } from './media-files.ts'

/** The keys of the files that the storage holds of a ready picture, video or document. */
export function keptFileKeys({ id, kind, extension }: { id: string; kind: Media['kind']; extension: string | null }): string[] {
  if (kind === 'video') return [fileKey(id, `video.${extension}`)]
  if (kind === 'document') return [fileKey(id, documentFile)]
  return pictureSizes.flatMap((size) => [fileKey(id, `${size}.avif`), fileKey(id, `${size}.webp`)])
}
