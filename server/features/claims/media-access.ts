import type { MayReadMedia } from '#server/features/media/index.ts'
import { hasRole } from '#server/kernel/actor.ts'

export const mayReadClaimDocument: MayReadMedia = async (_db, actor) => hasRole(actor, 'moderator')
