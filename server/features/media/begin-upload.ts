import {
  documentTypes,
  fileRefusals,
  imageTypes,
  type Media,
  maxDocumentBytes,
  maxImageBytes,
  maxVideoBytes,
  refusedImageTypes,
  type Upload,
  videoTypes,
} from '#contracts/media.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { invalidField } from '#server/kernel/errors.ts'
import { type IdempotencyKey, once } from '#server/kernel/idempotency.ts'
import { newId } from '#server/kernel/ids.ts'
import { refusals } from '#server/kernel/media-header.ts'
import { ownMediaRow } from './media.queries.ts'
import { toUpload } from './media.view.ts'
import { requireRoom } from './room.ts'

type Announced = { contentType: string; byteSize: number; alt: string }

/**
 * Reserves space for an upload. The browser's claims only serve to refuse it early.
 * @throws AppError invalid_input, conflict if the person has too much unattached media
 */
export async function beginUpload(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  input: Announced,
  idempotency: IdempotencyKey | null,
): Promise<Upload> {
  const kind = kindOf(input)
  const now = ctx.clock.now()
  return inTransaction(ctx.db, (tx) =>
    once(tx, actor.id, idempotency, now, async () => {
      // Otherwise two concurrent uploads could both fit.
      await tx.selectFrom('users').select('id').where('id', '=', actor.id).forUpdate().execute()
      await requireRoom(tx, actor.id, input.byteSize)
      const id = newId()
      await tx
        .insertInto('media')
        .values({ id, owner_id: actor.id, kind, byte_size: input.byteSize, alt: input.alt, created_at: now, updated_at: now })
        .execute()
      const row = await ownMediaRow(tx, actor.id, id)
      if (!row) throw new Error('an upload is missing right after it was created')
      return toUpload(row)
    }),
  )
}

const maxBytesByKind: Record<Media['kind'], number> = { image: maxImageBytes, video: maxVideoBytes, document: maxDocumentBytes }

function kindOf({ contentType, byteSize }: Announced): Media['kind'] {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  const isOneOf = (types: readonly string[]) => types.includes(type)
  if (isOneOf(refusedImageTypes)) throw invalidField('contentType', refusals.heic)
  const kind = isOneOf(imageTypes) ? 'image' : isOneOf(videoTypes) ? 'video' : isOneOf(documentTypes) ? 'document' : null
  if (!kind) throw invalidField('contentType', refusals.unknown)
  if (byteSize > maxBytesByKind[kind]) throw invalidField('byteSize', fileRefusals.large[kind])
  return kind
}
