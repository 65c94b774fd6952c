import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { CurrentUser } from '#contracts/accounts.ts'
import { askGuide, askOnboarding, getGuideProgress, saveGuideProgress } from '#contracts/calls/guide.ts'
import type { GuideProgress, GuideStep } from '#contracts/guide.endpoints.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call, callOptions } from '#web/lib/call.ts'
import { othersChange } from '#web/lib/query-client.ts'
import { useUnits } from '#web/lib/units.ts'
import { toast } from '#web/ui/toast-store.ts'

export const progressOptions = {
  ...callOptions(getGuideProgress, {}),
  // Most steps are completed on other screens, which makes this data outdated.
  meta: othersChange,
}

/** The specification names these fields. */
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

export function useAskGuide() {
  const distanceUnit = useUnits().distance
  return useMutation({ mutationFn: (question: string) => call(askGuide, { body: { question, distanceUnit } }) })
}

export function useSaveProgress() {
  const client = useQueryClient()
  const { queryKey: key } = progressOptions
  const { mutate } = useMutation({
    // Serialized, so that the last of several changes wins.
    scope: { id: 'guide' },
    mutationKey: [saveGuideProgress.path],
    mutationFn: ({ marked: completed, ...change }: Change) => call(saveGuideProgress, { body: { ...change, completed } }),
    onSuccess: (progress) => {
      // While another change is pending, this response doesn't include it.
      if (client.isMutating({ mutationKey: [saveGuideProgress.path] }) === 1) client.setQueryData(key, progress)
    },
    onError: (error) => {
      toast({ title: 'Error', description: messageOf(error, 'Your change couldn’t be saved'), variant: 'destructive' })
      void client.invalidateQueries({ queryKey: key })
    },
  })
  return (change: Change) => {
    client.setQueryData(key, (progress) => progress && afterChange(progress, change))
    mutate(change)
  }
}

type Change = Partial<Pick<GuideProgress, 'current' | 'isDismissed' | 'usesModel'>> & { marked?: string[] }

export const markedOf = ({ steps }: GuideProgress): string[] => steps.filter(({ doneBy }) => doneBy === 'mark').map(({ id }) => id)

export function afterChange(progress: GuideProgress, { marked, ...change }: Change): GuideProgress {
  const steps = marked
    ? progress.steps.map((step) => {
        const doneBy = step.doneBy === 'record' ? step.doneBy : marked.includes(step.id) ? ('mark' as const) : null
        return { ...step, doneBy, isDone: doneBy !== null }
      })
    : progress.steps
  return { ...progress, ...change, steps, completed: steps.filter(({ isDone }) => isDone).length }
}

export function nextStep(steps: readonly GuideStep[], current: string | null): GuideStep | null {
  const at = steps.findIndex(({ id }) => id === current)
  const around = [...steps.slice(at + 1), ...steps.slice(0, Math.max(0, at))]
  return around.find(({ isDone }) => !isDone) ?? null
}
