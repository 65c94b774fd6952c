import { sql } from 'kysely'
import { fileRefusals, type Media } from '../../../contracts/media.ts'
import type { Tx } from '../../db/connect.ts'
import { invalidField } from '../../kernel/errors.ts'
import { isUnattached } from './media-uses.ts'

type Wanted = {
  /** What may be among them: pictures and videos, when nothing is said. */
  kinds?: readonly Media['kind'][]
  /** The input that a refusal is about. */
  field?: string
}

const wrongKinds: Record<Media['kind'], string> = {
  image: 'Send a picture.',
  video: 'Send a picture or a video.',
  document: fileRefusals.notDocument,
}

/**
 * Holds these uploads until the transaction ends: each is ready, the person's own, of a kind that fits, and shown nowhere yet.
 * @throws AppError invalid_input about `field`, which is `mediaIds` when nothing is said
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
  if (own.length !== new Set(ids).size) throw invalidField(field, 'One of these uploads is gone, or not yours')
  if (own.some((row) => row.status !== 'ready')) throw invalidField(field, 'One of these uploads is not ready yet')
  if (own.some((row) => !kinds.includes(row.kind))) throw invalidField(field, wrongKinds[kinds.at(-1) ?? 'image'])
  // Asked only now that nobody else can attach them.
  const { free } = await tx
    .selectFrom('media')
    .select((eb) => eb.fn.countAll<number>().as('free'))
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where(isUnattached)
    .executeTakeFirstOrThrow()
  if (free !== ids.length) throw invalidField(field, 'One of these uploads is shown somewhere already')
}
