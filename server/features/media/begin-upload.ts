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
} from '../../../contracts/media.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { invalidField } from '../../kernel/errors.ts'
import { type IdempotencyKey, once } from '../../kernel/idempotency.ts'
import { newId } from '../../kernel/ids.ts'
import { refusals } from '../../kernel/media-header.ts'
import { ownMediaRow } from './media.queries.ts'
import { toUpload } from './media.view.ts'
import { requireRoom } from './room.ts'

type Announced = { contentType: string; byteSize: number; alt: string }

/**
 * Makes room for an upload. What the browser says it is decides only what is refused at once.
 * @throws AppError invalid_input, conflict when too much lies here unused
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
      // Two at once would otherwise both fit.
      await tx.selectFrom('users').select('id').where('id', '=', actor.id).forUpdate().execute()
      await requireRoom(tx, actor.id, input.byteSize)
      const id = newId()
      await tx
        .insertInto('media')
        .values({ id, owner_id: actor.id, kind, byte_size: input.byteSize, alt: input.alt, created_at: now, updated_at: now })
        .execute()
      const row = await ownMediaRow(tx, actor.id, id)
      if (!row) throw new Error('an upload is gone right after it was made')
      return toUpload(row)
    }),
  )
}

const mostBytes: Record<Media['kind'], number> = { image: maxImageBytes, video: maxVideoBytes, document: maxDocumentBytes }

function kindOf({ contentType, byteSize }: Announced): Media['kind'] {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  const isOneOf = (types: readonly string[]) => types.includes(type)
  if (isOneOf(refusedImageTypes)) throw invalidField('contentType', refusals.heic)
  const kind = isOneOf(imageTypes) ? 'image' : isOneOf(videoTypes) ? 'video' : isOneOf(documentTypes) ? 'document' : null
  if (!kind) throw invalidField('contentType', refusals.unknown)
  if (byteSize > mostBytes[kind]) throw invalidField('byteSize', fileRefusals.large[kind])
  return kind
}
