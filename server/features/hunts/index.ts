import * as tasks from '#contracts/grow-tasks.endpoints.ts'
import * as activity from '#contracts/hunts.endpoints.ts'
import * as comments from '#contracts/hunts.endpoints.ts'
import * as sharing from '#contracts/hunts.endpoints.ts'
import * as contract from '#contracts/hunts.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { completeGrowTask, createGrowTask, deleteGrowTask, listGrowTasks, reopenGrowTask, updateGrowTask } from './grow-tasks.ts'
import { listHuntActivity, listOwnActivity } from './hunt-activity.ts'
import { createComment, deleteComment, listComments, updateComment } from './hunt-comments.ts'
import { listHunts, loadHunt, summarizeHunts } from './read-hunts.ts'
import { listShares, shareHunt, suggestPeople, unshareHunt } from './shares.ts'
import {
  type AddFirstSeeds,
  completeHunt,
  createHunt,
  deleteHunt,
  type MoveSeedStarts,
  reopenHunt,
  setHuntVisibility,
  updateHunt,
} from './write-hunts.ts'

export type { HuntEventKind } from '#contracts/hunts.endpoints.ts'
export type { HuntAccess } from '#contracts/hunts.ts'
export { type AccessibleHunt, huntAccess, ownAndSharedHunts, ownHuntIds, requireHunt, requireHuntOfRow } from './hunt-access.ts'
export { type HuntEvent, recordHuntEvents } from './hunt-activity.ts'
export { type NotifiedHunt, notifiedHunts } from './hunt-comments.ts'
export { huntTextKeys, requireHuntWords } from './hunt-words.ts'
export { insertHunt } from './hunts.queries.ts'
export { loadHunt } from './read-hunts.ts'
export { endSharesBetween } from './shares.ts'
export {
  completeHunt,
  createHunt,
  hasBegun,
  reopenHunt,
  requireDayPassed,
  requireRoomForHunt,
  reserveNumbers,
  today,
  updateHunt,
} from './write-hunts.ts'

declare module '#server/kernel/events.ts' {
  interface EventData {
    'hunt.shared': { huntId: string; personId: string }
    'hunt.commented': { commentId: string }
  }
}

type Seeds = { addFirstSeeds: AddFirstSeeds; moveSeedStarts: MoveSeedStarts }

export function registerHunts(api: Api, { addFirstSeeds, moveSeedStarts }: Seeds): void {
  route(api, contract.listHunts, ({ ctx, actor, query }) => listHunts(ctx.db, actor, query))
  route(api, contract.createHunt, ({ ctx, actor, body, idempotency }) => createHunt(ctx, actor, body, idempotency, addFirstSeeds))
  route(api, contract.getHuntSummary, ({ ctx, actor }) => summarizeHunts(ctx.db, actor))
  route(api, contract.getHunt, ({ ctx, actor, params }) => loadHunt(ctx.db, actor, params.id))
  route(api, contract.updateHunt, ({ ctx, actor, params, body }) => updateHunt(ctx, actor, params.id, body, moveSeedStarts))
  route(api, contract.deleteHunt, ({ ctx, actor, params }) => deleteHunt(ctx, actor, params.id))
  route(api, contract.completeHunt, ({ ctx, actor, params, body }) => completeHunt(ctx, actor, params.id, body.completedOn))
  route(api, contract.reopenHunt, ({ ctx, actor, params }) => reopenHunt(ctx, actor, params.id))
  route(api, contract.setHuntVisibility, ({ ctx, actor, params, body }) => setHuntVisibility(ctx, actor, params.id, body.visibility))

  route(api, sharing.listHuntShares, ({ ctx, actor, params }) => listShares(ctx.db, actor, params.id))
  route(api, sharing.shareHunt, ({ ctx, actor, params, body }) => shareHunt(ctx, actor, params.id, params.personId, body.access))
  route(api, sharing.unshareHunt, ({ ctx, actor, params }) => unshareHunt(ctx, actor, params.id, params.personId))
  route(api, sharing.suggestPeopleToShareWith, ({ ctx, actor, params, query }) => suggestPeople(ctx.db, actor, params.id, query.search))

  route(api, activity.listHuntActivity, ({ ctx, actor, params, query }) => listHuntActivity(ctx.db, actor, params.id, query))
  route(api, activity.listOwnActivity, ({ ctx, actor, query }) => listOwnActivity(ctx.db, actor, query))

  route(api, tasks.listGrowTasks, ({ ctx, actor, query }) => listGrowTasks(ctx.db, actor, query))
  route(api, tasks.createGrowTask, ({ ctx, actor, params, body, idempotency }) => createGrowTask(ctx, actor, params.id, body, idempotency))
  route(api, tasks.updateGrowTask, ({ ctx, actor, params, body }) => updateGrowTask(ctx, actor, params.id, body))
  route(api, tasks.completeGrowTask, ({ ctx, actor, params, body }) => completeGrowTask(ctx, actor, params.id, body.doneOn))
  route(api, tasks.reopenGrowTask, ({ ctx, actor, params }) => reopenGrowTask(ctx, actor, params.id))
  route(api, tasks.deleteGrowTask, ({ ctx, actor, params }) => deleteGrowTask(ctx, actor, params.id))

  route(api, comments.listHuntComments, ({ ctx, actor, params, query }) => listComments(ctx.db, actor, params.id, query))
  route(api, comments.createHuntComment, ({ ctx, actor, params, body, idempotency }) =>
    createComment(ctx, actor, params.id, body.content, idempotency),
  )
  route(api, comments.updateHuntComment, ({ ctx, actor, params, body }) => updateComment(ctx, actor, params.id, body.content))
  route(api, comments.deleteHuntComment, ({ ctx, actor, params }) => deleteComment(ctx, actor, params.id))
}
