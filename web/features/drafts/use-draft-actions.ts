import { useQueryClient } from '@tanstack/react-query'
import { type Draft, deleteDraft, publishDraft, scheduleDraft, unscheduleDraft } from '../../../contracts/drafts.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { refreshCurrentUser } from '../../lib/current-user.ts'
import { toast } from '../../ui/toast-store.ts'
import { refreshPostLists } from '../posts/posts.api.ts'
import { refreshDrafts } from './drafts.api.ts'
import { whenWords } from './schedule-time.ts'

/** What can be done with a draft from a list. What fails says why. */
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
      // A colleague, or the clock, was quicker.
      if (error instanceof ApiError && error.status === 404) await refreshDrafts(client)
      return false
    }
  }

  return {
    publish: () =>
      doing(async () => {
        await call(publishDraft, { params })
        toast({ title: 'Success!', description: 'Your post has been created successfully.' })
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
    /** Throws: the dialog that asks for the time says what is wrong with it. */
    async schedule(publishAt: string) {
      await call(scheduleDraft, { params, body: { publishAt } })
      toast({ title: 'Post scheduled', description: scheduleWords(publishAt) })
      await refreshDrafts(client)
    },
  }
}

export function scheduleWords(publishAt: string): string {
  return `It goes out ${whenWords(new Date(publishAt), new Date())}.`
}
