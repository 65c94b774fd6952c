import { hasRole } from '../../kernel/actor.ts'
import type { MayReadMedia } from '../media/index.ts'

/** The document that proves a claim is for those who decide about it. */
export const mayReadClaimDocument: MayReadMedia = async (_db, actor) => hasRole(actor, 'moderator')
