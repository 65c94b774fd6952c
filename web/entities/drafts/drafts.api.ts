import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { deleteDraft, getBestTimes, getDraft, listDrafts, publishDraft, scheduleDraft, unscheduleDraft } from '#contracts/calls/drafts.ts'
import type { Draft } from '#contracts/drafts.ts'
import { maxDrafts } from '#contracts/limits.ts'
import { publishedToast } from '#web/entities/account-status/account-status-words.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { call, callOptions, refreshCalls } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { alwaysCurrent } from '#web/lib/query-client.ts'
import { refreshPostLists } from '#web/lib/refresh-posts.ts'
import { toast } from '#web/ui/toast-store.ts'
import { whenWords } from './schedule-time.ts'

/** Without a business, lists personal drafts. The list is complete, because a person or business can have at most a page of drafts. */
export const draftsOptions = (businessId?: string) => {
  const query = { limit: maxDrafts, ...(businessId === undefined ? {} : { business: businessId }) }
  return {
    ...callOptions(listDrafts, { query }),
    // Scheduled drafts are published automatically, and teammates edit drafts.
    ...alwaysCurrent,
  }
}

export const draftOptions = (id: string) => ({ ...callOptions(getDraft, { params: { id } }), staleTime: 0, gcTime: 0 })

export const bestTimesOptions = (businessId: string) => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const input = { params: { id: businessId }, query: { timeZone } }
  return callOptions(getBestTimes, input)
}

export const refreshDrafts = (client: QueryClient): Promise<unknown> => refreshCalls(client, [listDrafts])

export function useDraftActions({ id, businessId }: Pick<Draft, 'id' | 'businessId'>) {
  const client = useQueryClient()
  const params = { id }

  async function doing(act: () => Promise<void>): Promise<boolean> {
    try {
      await act()
      return true
    } catch (error) {
      console.error(error)
      toast({ title: 'Error', description: messageOf(error), variant: 'destructive' })
      // A teammate or the schedule may have published or deleted the draft.
      if (error instanceof ApiError && error.status === 404) await refreshDrafts(client)
      return false
    }
  }

  return {
    publish: () =>
      doing(async () => {
        const post = await call(publishDraft, { params })
        toast(publishedToast(post))
        if (businessId === null) void refreshCurrentUser()
        await Promise.all([refreshDrafts(client), refreshPostLists(client)])
      }),
    unschedule: () =>
      doing(async () => {
        await call(unscheduleDraft, { params })
        toast({ title: 'Moved to drafts' })
        await refreshDrafts(client)
      }),
    remove: () =>
      doing(async () => {
        await call(deleteDraft, { params })
        toast({ title: 'Draft deleted' })
        await refreshDrafts(client)
      }),
    /** Throws, so the dialog can show the error next to the field. */
    async schedule(publishAt: string) {
      await call(scheduleDraft, { params, body: { publishAt } })
      toast({ title: 'Post scheduled', description: scheduleWords(publishAt) })
      await refreshDrafts(client)
    },
  }
}

export function scheduleWords(publishAt: string): string {
  return `It will be published ${whenWords(new Date(publishAt), new Date())}.`
}
