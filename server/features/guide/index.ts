import * as contract from '#contracts/guide.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { answerQuestion } from './answer-question.ts'
import { createHelpIndex } from './help-index.ts'
import { answerOnboarding, getProgress, saveProgress } from './progress.ts'

export function registerGuide(api: Api): void {
  const help = createHelpIndex(api.ctx.brand)
  // No cache or replica serves anything that depends on questions or progress.
  const isUnread = true
  route(api, contract.askOnboarding, ({ ctx, actor, body }) => answerOnboarding(ctx, help, actor, body), { isUnread })
  route(api, contract.getGuideProgress, ({ ctx, actor }) => getProgress(ctx, actor))
  route(api, contract.saveGuideProgress, ({ ctx, actor, body }) => saveProgress(ctx, actor, body), { isUnread })
  route(api, contract.askGuide, ({ ctx, actor, body }) => answerQuestion(ctx, help, actor, body), { isUnread })
}
