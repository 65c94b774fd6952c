import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Panel, TasteCard } from '#contracts/blind-panels.ts'
import { getPanelResults, getTasteCard, listPanels } from '#contracts/calls/blind-panels.ts'
import { getTraitRecords } from '#contracts/calls/observations.ts'
import { callOptions, refreshCalls } from '#web/lib/call.ts'
import { othersChange } from '#web/lib/query-client.ts'

export const panelsOptions = (huntId: string) =>
  queryOptions({
    ...callOptions(listPanels, { params: { id: huntId } }),
    // Testers send their cards while a panel is open, so refetch regularly.
    refetchInterval: ({ state }) => (state.data?.some(({ isOpen }) => isOpen) ? 15_000 : false),
    meta: othersChange,
  })

/** Requires a closed panel. */
export const resultsOptions = (panelId: string) => ({ ...callOptions(getPanelResults, { params: { id: panelId } }), meta: othersChange })

export const tasteOptions = (token: string) => callOptions(getTasteCard, { params: { token } })

export function showPanel(client: QueryClient, panel: Panel): void {
  client.setQueryData(panelsOptions(panel.huntId).queryKey, (panels) => panels?.map((each) => (each.id === panel.id ? panel : each)))
}

/** Also refetches trait records: a panel's scores count once it's closed, and are deleted with it. */
export const refreshPanels = (client: QueryClient): Promise<void> => refreshCalls(client, [listPanels, getPanelResults, getTraitRecords])

export const cacheTaste = (client: QueryClient, token: string, card: TasteCard): void => {
  client.setQueryData(tasteOptions(token).queryKey, card)
}
export const refreshTaste = (client: QueryClient): Promise<void> => refreshCalls(client, [getTasteCard])
