import type { QueryClient } from '@tanstack/react-query'
import { getAccountStatus, getReviewTime, listHeldContent, listOwnDecisions, listOwnReports } from '#contracts/calls/moderation.ts'
import type { OwnAppeal } from '#contracts/moderation.ts'
import { callOptions, pagesOptions, refreshCalls } from '#web/lib/call.ts'
import { alwaysCurrent } from '#web/lib/query-client.ts'

// Moderators may change any of this while the screen is closed.

export const accountStatusOptions = { ...callOptions(getAccountStatus, {}), ...alwaysCurrent }

export const ownDecisionsOptions = { ...pagesOptions(listOwnDecisions, {}), ...alwaysCurrent }

export const heldContentOptions = { ...pagesOptions(listHeldContent, {}), ...alwaysCurrent }

export const reviewTimeOptions = callOptions(getReviewTime, {})

export const ownReportsOptions = { ...pagesOptions(listOwnReports, {}), ...alwaysCurrent }

export function addAppeal(client: QueryClient, decisionId: string, appeal: OwnAppeal): void {
  client.setQueryData(
    ownDecisionsOptions.queryKey,
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({
          ...page,
          items: page.items.map((decision) => (decision.id === decisionId ? { ...decision, appeal, mayAppeal: false } : decision)),
        })),
      },
  )
}

export const refreshAccountStatus = (client: QueryClient): Promise<void> =>
  refreshCalls(client, [getAccountStatus, listHeldContent, listOwnDecisions, listOwnReports])

export const refreshOwnDecisions = (client: QueryClient): Promise<void> => refreshCalls(client, [listOwnDecisions])
