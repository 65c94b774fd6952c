import * as contract from '#contracts/blind-panels.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { answerTasteCard, getTasteCard, printCards } from './cards.ts'
import { getPanelResults, listPanels, servePanelFile } from './read-panels.ts'
import { closePanel, createPanel, deletePanel, listHiddenJars, setCards, updatePanel } from './write-panels.ts'

export { panelFileRoutes } from './read-panels.ts'

export function registerBlindPanels(api: Api): void {
  route(api, contract.listPanels, ({ ctx, actor, params }) => listPanels(ctx.db, actor, params.id))
  route(api, contract.createPanel, ({ ctx, actor, params, body }) => createPanel(ctx, actor, params.id, body))
  route(api, contract.updatePanel, ({ ctx, actor, params, body }) => updatePanel(ctx, actor, params.id, body))
  route(api, contract.setCards, ({ ctx, actor, params, body }) => setCards(ctx, actor, params.id, body.jars))
  route(api, contract.printCards, ({ ctx, actor, params, body }) => printCards(ctx, actor, params.id, body))
  route(api, contract.listHiddenJars, ({ ctx, actor, params }) => listHiddenJars(ctx, actor, params.id))
  route(api, contract.closePanel, ({ ctx, actor, params }) => closePanel(ctx, actor, params.id))
  route(api, contract.deletePanel, ({ ctx, actor, params }) => deletePanel(ctx, actor, params.id))
  route(api, contract.getPanelResults, ({ ctx, actor, params }) => getPanelResults(ctx.db, actor, params.id))
  servePanelFile(api)
  route(api, contract.getTasteCard, ({ ctx, params }) => getTasteCard(ctx.db, params.token))
  // Testers read nothing cached, so no freshness cookie is set.
  route(api, contract.answerTasteCard, ({ ctx, params, body }) => answerTasteCard(ctx, params.token, body), { isUnread: true })
}
