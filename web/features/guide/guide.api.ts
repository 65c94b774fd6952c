import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { CurrentUser } from '../../../contracts/accounts.ts'
import { askGuide, askOnboarding, getGuideProgress, putGuideProgress } from '../../../contracts/guide.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call, queryKey } from '../../lib/call.ts'
import { othersChange } from '../../lib/query-client.ts'
import { toast } from '../../ui/toast-store.ts'
import { afterChange, type Change, markedOf } from './checklist.ts'

export const progressOptions = queryOptions({
  queryKey: queryKey(getGuideProgress),
  queryFn: ({ signal }) => call(getGuideProgress, {}, { signal }),
  // Most steps are done on other screens.
  meta: othersChange,
})

/** The specification's call, with its fields. */
const about = (user: CurrentUser) => ({
  userType: user.userType,
  userName: user.firstName,
  businessType: user.businessType,
  interests: user.interests.slice(0, 20),
})

export const welcomeOptions = (user: CurrentUser) =>
  queryOptions({
    queryKey: [askOnboarding.path, 'welcome'],
    queryFn: ({ signal }) => call(askOnboarding, { body: { type: 'welcome', ...about(user) } }, { signal }),
  })

export const guidanceOptions = (user: CurrentUser, step: { id: string; featureName: string }) =>
  queryOptions({
    queryKey: [askOnboarding.path, 'feature', step.id],
    queryFn: ({ signal }) =>
      call(askOnboarding, { body: { type: 'feature', ...about(user), currentStep: step.id, featureName: step.featureName } }, { signal }),
  })

export const useAsk = () => useMutation({ mutationFn: (question: string) => call(askGuide, { body: { question } }) })

/** Keeps a change at once; taken back with a message when the server does not. */
export function useKeepProgress() {
  const client = useQueryClient()
  const { queryKey: key } = progressOptions
  const { mutate } = useMutation({
    // One after the other: each writes all of it.
    scope: { id: 'guide' },
    mutationKey: [putGuideProgress.path],
    mutationFn: () => {
      const now = client.getQueryData(key)
      if (!now) throw new Error('The checklist is not here.')
      const { current, isDismissed, usesModel } = now
      return call(putGuideProgress, { body: { completed: markedOf(now), current, isDismissed, usesModel } })
    },
    onSuccess: (progress) => {
      // Under a change that waits its answer would be the older one, and be sent again in the place of the change.
      if (client.isMutating({ mutationKey: [putGuideProgress.path] }) === 1) client.setQueryData(key, progress)
    },
    onError: (error) => {
      toast({ title: 'Error', description: messageOf(error, 'The guide could not keep that'), variant: 'destructive' })
      void client.invalidateQueries({ queryKey: key })
    },
  })
  return (change: Change) => {
    client.setQueryData(key, (progress) => progress && afterChange(progress, change))
    mutate()
  }
}
