import { sql } from 'kysely'
import { fileRefusals, type Media } from '#contracts/media.ts'
import type { Tx } from '#server/db/connect.ts'
import { invalidField } from '#server/kernel/errors.ts'
import { pictureSizes } from '#server/kernel/media-address.ts'
import { documentFile, fileKey } from './media-files.ts'
import { isUnattached } from './media-uses.ts'

type Wanted = {
  /** Allowed kinds; defaults to pictures and videos. */
  kinds?: readonly Media['kind'][]
  field?: string
}

const wrongKinds: Record<Media['kind'], string> = {
  image: 'Send a picture.',
  video: 'Send a picture or a video.',
  document: fileRefusals.notDocument,
}

/**
 * Locks these uploads until the transaction ends. Each must be ready, the person's own, of an allowed kind and unattached.
 * @throws AppError invalid_input about `field`, by default `mediaIds`
 */
export async function requireReadyMedia(tx: Tx, ownerId: string, ids: readonly string[], wanted: Wanted = {}): Promise<void> {
  if (ids.length === 0) return
  const { kinds = ['image', 'video'], field = 'mediaIds' } = wanted
  const own = await tx
    .selectFrom('media')
    .select(['id', 'status', 'kind'])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('owner_id', '=', ownerId)
    .orderBy('id')
    .forUpdate()
    .execute()
  if (own.length !== new Set(ids).size) throw invalidField(field, "One of these uploads no longer exists, or isn't yours")
  if (own.some((row) => row.status !== 'ready')) throw invalidField(field, 'One of these uploads is not ready yet')
  if (own.some((row) => !kinds.includes(row.kind))) throw invalidField(field, wrongKinds[kinds.at(-1) ?? 'image'])
  // Checked after locking, when no one else can attach them.
  const { free } = await tx
    .selectFrom('media')
    .select((eb) => eb.fn.countAll<number>().as('free'))
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where(isUnattached)
    .executeTakeFirstOrThrow()
  if (free !== ids.length) throw invalidField(field, 'One of these uploads is already shown somewhere')
}

export function storedFileKeys({ id, kind, extension }: { id: string; kind: Media['kind']; extension: string | null }): string[] {
  if (kind === 'video') return [fileKey(id, `video.${extension}`)]
  if (kind === 'document') return [fileKey(id, documentFile)]
  return pictureSizes.flatMap((size) => [fileKey(id, `${size}.avif`), fileKey(id, `${size}.webp`)])
}
